"""Mails, sanitized in place."""

from __future__ import annotations

import base64
import quopri
import time
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage

import pytest

from kgsan.formats.documents import Rules, sanitize_file, text_of
from kgsan.formats.mail import mail_reader, read_mail
from kgsan.policy.read import load_policy
from kgsan.report.output import FileError
from kgsan.sanitize.sanitizer import Sanitizer
from tests.report.toy import write_policy

KEEP, REMOVE = Rules(pictures="keep"), Rules(pictures="remove")
S = "zidovudine"
HEAD = "From: Jo Example <jo@example.org>\nTo: Al Example <al@example.org>\nSubject: Roses\n"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return Sanitizer(load_policy(write_policy(tmp_path_factory.mktemp("toy"))))


def sanitized(mail: str | bytes, toy: Sanitizer, rules: Rules = REMOVE) -> bytes:
    content = mail.encode() if isinstance(mail, str) else mail
    return sanitize_file(content, "a.eml", read_mail, toy, rules).content


def everything(mail: bytes) -> str:
    """A mail raw and with all that is encoded in it decoded."""
    said = [mail.decode("utf-8", "replace")]
    for part in message_from_bytes(mail).walk():
        said += [str(make_header(decode_header(str(value)))) for value in part.values()]
        if not part.is_multipart():
            said.append(part.get_payload(decode=True).decode("utf-8", "replace"))  # type: ignore[union-attr]
    return "\n".join(said).lower()


def full() -> bytes:
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = (
        "Zoë Example <zoe@example.org>",
        "al@example.org",
        "Rosés and a rather long subject that is folded somewhere in the middle of it",
    )
    mail.set_content("Roses are red – all.\n\n> quoted\n")
    mail.add_alternative("<p>Roses are <b>red</b> – all.</p>", subtype="html")
    mail.add_attachment("a,b\r\n1,2\r\n", subtype="csv", filename="table.csv")
    mail.add_attachment(b"<p>a page", maintype="text", subtype="html", filename="page.html")
    return mail.as_bytes()


def test_a_mail_with_nothing_sensitive_keeps_what_it_says_and_how(toy: Sanitizer) -> None:
    before, after = (message_from_bytes(mail, policy=policy.default) for mail in (full(), sanitized(full(), toy)))
    for one, other in zip(before.walk(), after.walk(), strict=True):
        assert one.get_content_type() == other.get_content_type()
        assert one.get("subject") == other.get("subject")
        assert one.get("content-transfer-encoding") == other.get("content-transfer-encoding")
        assert one.get_filename() == other.get_filename()
        if not one.is_multipart():
            assert one.get_payload(decode=True) == other.get_payload(decode=True)


def test_twice_is_once(toy: Sanitizer) -> None:
    for mail in (full(), full().replace(b"red", b"zidovudine")):
        made = sanitized(mail, toy)
        assert sanitized(made, toy) == made
        assert b"zidovudine" not in made


def test_traces_are_gone_and_what_is_said_stays(toy: Sanitizer) -> None:
    traces = "Received: from host.example.net\n by mx\nMessage-ID: <1@host.example.net>\nX-Mailer: Thing\nReturn-Path: <x@host.example.net>\nBcc: x@host.example.net\nDKIM-Signature: abc\n"
    made = sanitized(traces + HEAD + "X-Priority: 1\n\nRoses.\n", toy).decode()
    assert made == HEAD + "X-Priority: 1\n\nRoses.\n"


def coded(text: str) -> str:
    return f"=?utf-8?b?{base64.b64encode(text.encode()).decode()}?="


B64 = base64.b64encode(b"He takes zidovudine.\n").decode()
MULTI = (
    HEAD
    + 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="zidovudine"\n\nThis is zidovudine.\n--zidovudine\n{}\n--zidovudine--\nepilogue zidovudine\n'
)
PLACES = [
    HEAD.replace("Roses", S) + "\nx\n",
    HEAD.replace("Roses", coded(S)) + "\nx\n",
    HEAD.replace("Roses", coded("zido") + " " + coded("vudine")) + "\nx\n",
    HEAD.replace("Roses", coded("zido") + "\n " + coded("vudine") + " é") + "\nx\n",
    HEAD.replace("Roses", "=?iso-8859-1?Q?zid=6fvudine?=") + "\nx\n",
    HEAD.replace("Jo Example", S) + "\nx\n",
    HEAD + f"X-Drug: {S}\nComments: {S}\nKeywords: {S}\nThread-Topic: {S}\nMessage-ID: <{S}@x>\n\nx\n",
    HEAD + f"\nHe takes {S}.\n",
    HEAD + f"Content-Transfer-Encoding: base64\n\n{B64}\n",
    HEAD + "Content-Transfer-Encoding: quoted-printable\n\nHe takes zido=\nvudi=6Ee daily.\n",
    HEAD + f"Content-Type: text/html; charset=utf-8\n\n<p>zido<b>vudine</b><p title='{S}'><!-- {S} -->\n",
    HEAD
    + f"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{base64.b64encode(b'<p>zido<b>vudine</b>').decode()}\n",
    HEAD + f"Content-Type: text/plain; charset=utf-16le\n\n{S}\n".replace("utf-16le", "windows-1252"),
    HEAD
    + f"Content-Type: text/plain; charset=utf-8; x-drug={S}; name={S}.txt\nContent-Disposition: attachment; filename*=utf-8''zi%64ovudine.txt\n\nx\n",
    MULTI.format("\nx"),
    MULTI.format("\nx").replace("multipart/mixed", f"multipart/{S}").replace("1.0", f"1.0 ({S})"),
    HEAD
    + f"Content-Type: text/plain ({S}); format={S}; delsp={S}\nContent-Disposition: {S}\nContent-Transfer-Encoding: 7bit ({S})\n\nx\n",
    MULTI.format(f"Content-Type: text/plain\nContent-Description: {S}\nContent-ID: <{S}@x>\n\n{S}"),
    MULTI.format(
        f"Content-Type: image/png; name={S}.png\nContent-Transfer-Encoding: base64\n\n{base64.b64encode(S.encode()).decode()}"
    ),
    MULTI.format(f"Content-Type: application/octet-stream; name={S}.xyz\n\n{S}"),
    MULTI.format("Content-Type: text/calendar\n\nSUMMARY:zido\n vudine"),
    MULTI.format(f"Content-Type: message/rfc822\n\nSubject: {S}\nReceived: {S}\n\nHe takes {S}."),
    MULTI.format("Content-Type: text/html; name=a.html\nContent-Disposition: attachment\n\n<p>zi<i>do</i>vudine"),
    MULTI.format("Content-Type: text/x-other; name=a.md\nContent-Disposition: attachment; filename=a.md\n\n**zi**dovudine"),
    MULTI.format(f"Content-Type: application/pgp-signature\n\n{S}"),
]


@pytest.mark.parametrize("number", range(len(PLACES)))
def test_a_secret_is_gone_from_wherever_it_stood(toy: Sanitizer, number: int) -> None:
    made = sanitized(PLACES[number], toy)
    said = everything(made)
    assert "vudine" not in said
    assert "zido" not in said
    assert base64.b64encode(b"zidovudine").decode()[:12].lower() not in said
    assert sanitized(made, toy) == made


def test_plain_and_html_twins_say_the_same(toy: Sanitizer) -> None:
    mail = EmailMessage()
    mail["Subject"] = "x"
    mail.set_content("He takes zidovudine.\n")
    mail.add_alternative("<p>He takes <b>zido</b>vudine.</p>\n", subtype="html")
    plain, page = [part.get_payload() for part in message_from_bytes(sanitized(mail.as_bytes(), toy)).get_payload()]  # type: ignore[union-attr]
    words = plain.strip().removeprefix("He takes ").removesuffix(".")
    assert words in page


def test_attachments_are_read_by_the_readers_that_are_handed_over(toy: Sanitizer) -> None:
    from kgsan.formats.html import read_html

    mail = MULTI.format(
        "Content-Type: application/x-page; name=a.page\nContent-Disposition: attachment\n\n<p>zi<i>do</i>vudine"
    ).encode()
    read = mail_reader(lambda name, content: read_html if name.endswith(".page") else None)
    assert b"dovudine" not in sanitize_file(mail, "a.eml", read, toy).content.replace(b"\n", b"").replace(b"</i>", b"")
    with pytest.raises(FileError):
        sanitize_file(mail, "a.eml", read_mail, toy)


def test_pictures_stop_the_release_or_are_kept_or_removed(toy: Sanitizer) -> None:
    mail = MULTI.format("Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA").encode()
    with pytest.raises(FileError):
        sanitized(mail, toy, Rules())
    assert b"AAAA" in sanitized(mail, toy, KEEP)
    assert b"AAAA" not in sanitized(mail, toy)


def test_a_reply_in_other_letters_is_written_in_them(toy: Sanitizer) -> None:
    mail = (
        HEAD
        + "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n"
        + quopri.encodestring("Café zidovudine\n".encode("latin-1")).decode()
    ).encode()
    made = message_from_bytes(sanitized(mail, toy))
    assert made.get_payload(decode=True).decode("latin-1").startswith("Café ")  # type: ignore[union-attr]


def test_a_mail_that_mixes_line_ends_gets_one_kind(toy: Sanitizer) -> None:
    made = sanitized(HEAD.replace("\n", "\r\n") + "\r\nzidovudine\nroses\r\n", toy)
    assert made.count(b"\n") == made.count(b"\r\n") == 6


BROKEN = {
    "a parameter in unknown letters": (HEAD + "Content-Type: text/plain; a*=x''%zz; b=c\n\nx\n").encode(),
    "a sign in a header": HEAD.replace("Roses", "Roses\x1cX-Drug: x").encode() + b"\nx",
    "empty": b"",
    "a text": b"just some words\nand more\n",
    "zeros": HEAD.encode() + b"\n\0",
    "cut short": MULTI.format("\nx").replace("--zidovudine--", "").encode(),
    "no boundary": (HEAD + "Content-Type: multipart/mixed\n\nx").encode(),
    "boundary that never comes": (HEAD + "Content-Type: multipart/mixed; boundary=q\n\nx").encode(),
    "encrypted": (HEAD + "Content-Type: multipart/encrypted; boundary=q\n\n--q\n\nx\n--q--\n").encode(),
    "an envelope": (HEAD + "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nAAAA\n").encode(),
    "bad base64": (HEAD + "Content-Transfer-Encoding: base64\n\nA!AA\n").encode(),
    "unknown carrying": (HEAD + "Content-Transfer-Encoding: x-uuencode\n\nA\n").encode(),
    "unknown letters": (HEAD + "Content-Type: text/plain; charset=utf-7\n\nA\n").encode(),
    "wrong letters": (HEAD + "Content-Type: text/plain; charset=utf-8\n\n").encode() + b"\xe9\n",
    "two kinds": (HEAD + "Content-Type: text/plain\nContent-Type: text/html\n\nA\n").encode(),
    "unknown subject": HEAD.replace("Roses", "=?nope?b?AAAA?=").encode() + b"\nx",
    "deep": (HEAD + "".join(f"Content-Type: multipart/mixed; boundary=q{n}\n\n--q{n}\n" for n in range(400)) + "\nx").encode(),
    "long": (HEAD + "Content-Type: text/plain; " + 'a="' * 50_000 + "\n\nA\n").encode(),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_read_whole_is_refused_in_one_sentence(kind: str) -> None:
    begun = time.process_time()
    with pytest.raises(FileError) as error:
        read_mail(BROKEN[kind], "a.eml", Rules())
    assert str(error.value).startswith("a.eml: ")
    assert time.process_time() - begun < 5


def test_a_large_mail_is_read_in_linear_time() -> None:
    begun = time.process_time()
    assert len(text_of((HEAD + "\n" + "roses are red\n" * 300_000).encode(), "a.eml", read_mail)) > 4_000_000
    assert time.process_time() - begun < 10
