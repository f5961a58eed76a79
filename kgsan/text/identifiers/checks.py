"""Check digits: whether a number is one that its issuer could have given out."""

from string import ascii_uppercase

from kgsan.text.identifiers.rule import words

IBAN_LENGTHS = {
    row[:2]: int(row[2:])
    for row in words(
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 "
        "GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 "
        "MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25 SV28 "
        "TL23 TN24 TR26 UA29 VA22 VG24 XK20"
    )
}
_VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10), *range(10)), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1: doubling every second digit from the right gives a multiple of ten.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    total = sum(map(int, digits[-1::-2])) + sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return total % 10 == 0


def payment_card(digits: str) -> bool:
    """13 to 19 digits of a payment network for which Luhn's check holds; a row of one digit is no card."""
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and len(set(digits)) > 1 and luhn(digits)


def provider(digits: str) -> bool:
    """A national provider identifier: Luhn's check over 80840 and the ten digits.

    >>> provider("1234567893"), provider("1234567890")
    (True, False)
    """
    return len(digits) == 10 and digits[0] in "12" and luhn("80840" + digits)


def nhs(digits: str) -> bool:
    """An NHS number: weighted 10 to 2, modulo 11.

    >>> nhs("9434765919"), nhs("9434765918")
    (True, False)
    """
    if len(digits) != 10 or len(set(digits)) == 1:
        return False
    return sum(int(digit) * weight for digit, weight in zip(digits, range(10, 0, -1), strict=True)) % 11 == 0


def iban(account: str) -> bool:
    """ISO 13616: the country's length, and modulo 97 leaves one.

    >>> iban("GB82WEST12345698765432"), iban("GB82WEST12345698765433")
    (True, False)
    """
    if IBAN_LENGTHS.get(account[:2]) != len(account) or not account.isascii() or not account.isalnum():
        return False
    return int("".join(str(int(sign, 36)) for sign in account[4:] + account[:4])) % 97 == 1


def prescriber(number: str) -> bool:
    """A DEA registration: the odd digits and twice the even ones end in the seventh.

    >>> prescriber("AB1234563"), prescriber("AB1234564")
    (True, False)
    """
    digits = [int(digit) for digit in number[2:]]
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def vehicle(number: str) -> bool:
    """ISO 3779 with the North American check digit in the ninth place.

    >>> vehicle("1HGCM82633A004352"), vehicle("1HGCM82643A004352")
    (True, False)
    """
    if len(number) != 17 or any(sign not in _VIN_VALUES for sign in number) or not set(number) & set(ascii_uppercase):
        return False
    remainder = sum(_VIN_VALUES[sign] * weight for sign, weight in zip(number, _VIN_WEIGHTS, strict=True)) % 11
    return number[8] == ("X" if remainder == 10 else str(remainder))


def social_security(digits: str) -> bool:
    """Nine digits the Social Security Administration could have issued.

    >>> social_security("123456789"), social_security("666456789"), social_security("123006789")
    (True, False, False)
    """
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return len(digits) == 9 and area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"
