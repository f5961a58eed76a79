"""Which fields of HL7 v2 messages are control fields, codes, names and addresses, by segment and number."""

from __future__ import annotations

_NAME = {0: "name", 1: "name", 2: "name", 3: "name"}
_PROVIDER = {0: "number", 1: "name", 2: "name", 3: "name"}
_ADDRESS = {0: "street", 1: "street", 2: "city", 4: "zip"}
_PHONE = {0: "phone", 3: "email", 5: "phone", 6: "phone", 11: "phone"}
_RECORD = {0: "medical_record"}
_PLAN = {0: "health_plan"}


def _fields(listed: str) -> list[str]:
    """Fields, written as `PID-3,4 NK1-2`."""
    found = []
    for part in listed.split():
        segment, _, numbers = part.partition("-")
        found += [f"{segment}-{number}" for number in numbers.split(",")]
    return found


#: What a message says about itself. It stays, so that the message remains one.
CONTROL = frozenset(
    _fields(
        """MSH-1,2,9,10,11,12,13,14,15,16,17,18,19,20,21 FHS-1,2,11 BHS-1,2,11 BTS-1 FTS-1 EVN-1 MSA-1,2 PID-1 NK1-1 OBX-1,2,11
        OBR-1 DG1-1 AL1-1 NTE-1,2 GT1-1 IN1-1 PV1-1,2 ORC-1,5 PR1-1 IAM-1 TXA-1 SPM-1 RXE-1 QAK-1,2 ERR-2,3,4"""
    )
)
#: Codes with the words that they stand for: code, words, code system, and the same once more.
CODED = frozenset(
    _fields(
        """DG1-3 AL1-3 OBX-3 OBR-4,31 PR1-3 PRB-3 IAM-3 RXA-5 RXE-2 RXO-1 RXD-2 RXG-4 PV2-3 ORC-16
        FT1-7,19,25 GOL-3 SPM-4 PTH-3 OBR-44"""
    )
)
#: Texts that go over several segments.
LINES = frozenset(_fields("NTE-3 OBX-5"))
#: Fields, by component, that are identifiers whatever they look like.
KNOWN = {
    field: by_component
    for listed, by_component in (
        ("PID-2,3,4,21 MRG-1,4", _RECORD),
        ("PID-18 MRG-3", {0: "account"}),
        ("PID-19 GT1-12 NK1-37", {0: "ssn"}),
        ("PID-20", {0: "licence"}),
        ("PV1-19,50 ORC-2,3 OBR-2,3 TXA-12", {0: "number"}),
        ("IN1-36,49 IN2-8", _PLAN),
        ("PID-5,6,9 NK1-2,30 GT1-3 IN1-6,16 MRG-7", _NAME),
        ("PID-11 NK1-4,32 GT1-5 IN1-19,44", _ADDRESS),
        ("PID-13,14,40 NK1-5,6,31 GT1-6,7 IN1-7 ORC-14,23 OBR-17", _PHONE),
        ("PV1-7,8,9,17,52 PD1-4 ORC-10,11,12 OBR-10,16,28,32 OBX-16", _PROVIDER),
        ("TXA-5,9,10,11 EVN-5 DG1-16 PR1-8,11,12 ROL-4", _PROVIDER),
    )
    for field in _fields(listed)
}
