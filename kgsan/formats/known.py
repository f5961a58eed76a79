"""What a column or a field holds by its name alone: a number says nothing, a number in the column MRN is an identifier."""

from __future__ import annotations

#: Kinds of identifiers by the headings under which they are kept.
_HEADINGS = {
    "name": """name; patient; patient name; full name; first name; last name; middle name; given name; family name; surname;
        maiden name; mother's maiden name; provider name; physician; doctor; attending; next of kin; contact name; guarantor;
        employee; employee name; client; client name; member name; signed by""",
    "street": "address; street; street address; address line 1; address line 2; address1; address2; home address; addr",
    "city": "city; town; county",
    "zip": "zip; zip code; zipcode; postcode; postal code; postalcode",
    "date": "dob; date of birth; birth date; birthdate; birthday; date of death; death date",
    "fax": "fax; fax number",
    "phone": "phone; phone number; telephone; mobile; cell; cell phone; home phone; work phone; tel",
    "email": "email; e-mail; email address; mail",
    "ssn": "ssn; social security number; social security no; social security",
    "medical_record": """mrn; medical record number; medical record no; patient id; patient no; patient number; chart number;
        chart no; patientid; pid; hospital number; subject id""",
    "health_plan": "member id; member number; insurance id; policy number; subscriber id; nhs number; medicare number; mbi",
    "account": "account; account number; account no; acct; iban; card number; credit card",
    "licence": "licence number; license number; driver license; npi; dea; dea number",
    "vehicle": "vin; licence plate; license plate; plate",
    "device": "serial number; device id; device serial; udi; mac address; imei",
    "url": "url; website; web site; homepage",
    "ip": "ip; ip address; ipaddress",
    "username": "username; user name; user; login; user id; handle",
    "number": "encounter id; visit id; case number; case no; accession number; claim number; national id; passport number",
}
_KINDS = {" ".join(heading.split()): kind for kind, listed in _HEADINGS.items() for heading in listed.split(";")}


def known_kind(heading: str) -> str | None:
    """The kind of identifiers that stands under a heading, if it is one for identifiers.

    >>> known_kind("Patient_Name"), known_kind("MRN"), known_kind("note")
    ('name', 'medical_record', None)
    """
    return _KINDS.get(as_words(heading).lower())


def as_words(heading: str) -> str:
    """A heading as a person reads it.

    >>> as_words("hiv_status"), as_words("HivStatus")
    ('hiv status', 'Hiv Status')
    """
    parts = heading.replace("_", " ").replace("-", " ").replace(".", " ")
    split = [
        f" {sign}" if sign.isupper() and before.islower() else sign for before, sign in zip(f" {parts}", parts, strict=False)
    ]
    return " ".join("".join(split).split())
