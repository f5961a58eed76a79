from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsan.text.document import Document
from tests.conftest import seconds, within

ANY = st.text(st.one_of(st.characters(codec=None, categories=None), st.sampled_from(" .\n\r\t'-()aA1")), max_size=120)

NOTE = """\
Pt c/o fever x3 days. Takes AZT 300 mg b.i.d. CD4 48/mm3, VL 1.2 M.
Seen by Dr. A. Okafor at 5 p.m. He was told to rest.

PMH: HTN, T2DM
Medications:
- zidovudine 300 mg b.i.d.
- aspirin 81 mg q.d.
1. Follow up in 2 wks.
2. Labs: CBC, LFTs.

Mr. and Mrs. Lindqvist came from the U.S. They don't smoke (e.g. cigars). "Why?" she asked. It costs $3.50!
"""


def sentences(text: str) -> list[str]:
    document = Document(text)
    return [text[start:end] for start, end in document.sentences]


def test_sentences_survive_clinical_notes() -> None:
    assert sentences(NOTE) == [
        "Pt c/o fever x3 days.",
        "Takes AZT 300 mg b.i.d.",
        "CD4 48/mm3, VL 1.2 M.",
        "Seen by Dr. A. Okafor at 5 p.m.",
        "He was told to rest.",
        "PMH: HTN, T2DM",
        "Medications:",
        "- zidovudine 300 mg b.i.d.",
        "- aspirin 81 mg q.d.",
        "1. Follow up in 2 wks.",
        "2. Labs: CBC, LFTs.",
        "Mr. and Mrs. Lindqvist came from the U.S.",
        "They don't smoke (e.g. cigars).",
        '"Why?" she asked.',
        "It costs $3.50!",
    ]


def test_a_line_that_was_wrapped_goes_on() -> None:
    text = "The patient was seen in the clinic on the third floor of the\nhospital and was told to come back in the week after Easter\nMonday. She agreed."
    assert sentences(text) == [text[: text.index(" She")], "She agreed."]


def test_paragraphs_are_parted_by_empty_lines_whatever_ends_them() -> None:
    for end in ("\n", "\r\n"):
        text = f"one{end}two{end} {end}{end}three{end}"
        assert [text[a:b] for a, b in Document(text).paragraphs] == [f"one{end}two", "three"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("doesn't can't Anna's it's we'll O'Brien", "does n't ca n't Anna 's it 's we 'll O'Brien"),
        ("non-smoker, 1,000.5 mg/dl", "non - smoker , 1,000.5 mg / dl"),
        ("Write to a.b@example.org or www.example.org/x?y.", "Write to a.b@example.org or www.example.org/x?y ."),
        ("...!!! (a)[b]", "... !!! ( a ) [ b ]"),
        ("Prof. X, U.S.A., e.g. B12", "Prof. X , U.S.A. , e.g. B12"),
        ("na\u00efve caf\u00e9", "naive cafe"),
    ],
)
def test_tokens_are_what_treebanks_have(text: str, tokens: str) -> None:
    assert Document(text).words == tokens.split()


@given(ANY)
def test_offsets_point_into_the_original_whatever_its_characters(text: str) -> None:
    document = Document(text)
    before = (0, 0)
    for (start, end), word in zip(document.tokens, document.words, strict=True):
        assert 0 <= start < end <= len(text)
        assert start >= before[0]
        assert end >= before[1]
        assert word in Document(text[start:end]).plain  # one sign may be read as several: a half, a ligature
        before = (start, end)
    for spans in (document.sentences, document.paragraphs):
        for start, end in spans:
            assert 0 <= start < end <= len(text)
    assert [a for a, _ in document.sentences] == sorted(a for a, _ in document.sentences)


@given(ANY)
def test_no_letter_or_digit_is_outside_of_tokens_and_paragraphs(text: str) -> None:
    document = Document(text)
    for spans in (document.tokens, document.paragraphs):
        covered = set()
        for start, end in spans:
            covered.update(range(start, end))
        assert not [i for i, letter in enumerate(text) if i not in covered and Document(letter).plain.strip()]


def test_a_combining_mark_belongs_to_its_letter() -> None:
    text = "cafe\u0301 noir"
    start, end = Document(text).tokens[0]
    assert text[start:end] == "cafe\u0301"


def test_a_document_tells_its_size_and_not_its_words() -> None:
    assert repr(Document("secret words")) == "<Document of 12 characters>"


def test_contexts_are_sentence_paragraph_or_document() -> None:
    document = Document("One. Two.\n\nThree.")
    assert [len(document.contexts(kind)) for kind in ("sentence", "paragraph", "document")] == [3, 2, 1]
    with pytest.raises(ValueError):
        document.contexts("page")


HOSTILE = [
    "a",
    ".",
    "1",
    "1.",
    "a.",
    "A.\n",
    "'",
    "a'",
    "(",
    "\n",
    "\r",
    " ",
    "- \n",
    "a@",
    "www.",
    "http://",
    "\u0301",
    "\ufb01",
    "\ud800",
    "Dr. ",
    "e\u0301",
    "x\u200b",
    "\x00",
]


@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_reading_takes_time_that_grows_with_the_text_and_no_faster(unit: str) -> None:
    def read(times: int) -> None:
        document = Document(unit * times)
        _ = document.sentences, document.paragraphs

    read(1000)
    assert within(0.1 + 8 * 3 * seconds(read, 10_000), read, 80_000)
