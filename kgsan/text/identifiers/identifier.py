"""What an identifier is: where it stands, of what kind it is, and why it was taken."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Part = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Identifier:
    """One stretch of a text that tells who somebody is. It holds offsets, never the words themselves."""

    start: int
    end: int
    kind: str
    because: str
    parts: tuple[Part, ...] = ()
    certain: bool = True


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "name": "a person's name that the text itself introduces: a title, a label, a signature, initials (A)",
        "street": "a street, with a number or without, an apartment or a post office box (B)",
        "city": "a town that stands before its state (B)",
        "zip": "a ZIP code or a postcode (B)",
        "geography": "a place smaller than a state, a named facility (hospital, school, court, prison, church) or a postcode (B)",
        "date": "a date more exact than its year: day, month, weekday, feast or season (C)",
        "age": "an age, in figures or in words; the law hides those over 89 (C)",
        "fax": "a fax number (E)",
        "phone": "a telephone or pager number (D)",
        "email": "an e-mail address (F)",
        "ssn": "a social security number (G)",
        "medical_record": "a medical record number (H)",
        "health_plan": "a number of a health plan's member, Medicare's or the NHS's included (I)",
        "account": "an account, a payment card or an IBAN (J)",
        "licence": "a licence or certificate number, a prescriber's or provider's included (K)",
        "vehicle": "a vehicle's identification number or its plate (L)",
        "device": "a device's serial number, UDI or MAC address (M)",
        "url": "a web address (N)",
        "ip": "an internet protocol address (O)",
        "username": "a user name or handle (R)",
        "number": "any other number that belongs to one person or case only (R)",
    }
)
"""Every kind in plain words with its letter in 45 CFR 164.514(b)(2)(i). Where two kinds fit the same
words equally well, the earlier one is reported. Biometric data (P) and photographs (Q) are not text."""
