"""`kgsan ontology draw` as a user meets it, and the picture itself."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from kgsan import cli
from kgsan.ontology.ontology import Ontology
from kgsan.report.drawing.letters import width
from kgsan.report.drawing.neighborhood import neighborhood
from kgsan.report.drawing.picture import picture
from kgsan.sources.records import Records, Scope
from tests.conftest import taxonomy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def draw(*arguments: object) -> tuple[int, str, str]:
        code = cli.main(["ontology", "draw", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return draw


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "toy.txt"
    kinds = "".join(f"    kind {number:03}\n" for number in range(137))
    path.write_text(f"condition\n  disease\n{kinds}  injury\nmercury\nplanet\n  mercury\n")
    return path


def related(relations: Sequence[tuple[str, str, str]], parents: dict[str, str] | None = None) -> Ontology:
    """An ontology of a taxonomy and relations between names."""
    records = taxonomy(parents or {})
    for subject, relation, target in relations:
        for name in (subject, target):
            number = records.concept(f"t:{name}")
            if not parents or name not in parents:
                records.name(number, name, Scope.PREFERRED)
        records.relation(records.concept(f"t:{subject}"), relation, records.concept(f"t:{target}"))
    return Ontology.from_records(records)


def drawn(ontology: Ontology, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture(neighborhood(ontology, ontology.find(name)[0])))


def texts(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {told: one for one in root.iter(f"{SVG}text") if (told := "".join(_own(one)))}


def _own(element: ElementTree.Element) -> list[str]:
    return [element.text or "", *((child.tail or "") for child in element)]


def box(element: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a text, by the estimate of its width."""
    small = "small" in (element.get("class") or "") or element.get("class") == "heading"
    size = 11.0 if small else 13.0
    wide = width("".join(_own(element)), size)
    x, y = float(element.get("x", "0")), float(element.get("y", "0"))
    x -= {"end": wide, "middle": wide / 2}.get(element.get("text-anchor") or "", 0.0)
    return x, y - size * 0.8, x + wide, y + size * 0.25


def overlaps(root: ElementTree.Element) -> list[tuple[str, str]]:
    boxes = [("".join(_own(one)), box(one)) for one in root.iter(f"{SVG}text")]
    return [
        (one, other)
        for (one, a), (other, b) in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


# --- the command ----------------------------------------------------------------------------------------------------------


def test_a_picture_goes_to_a_file_or_to_standard_output(
    run: Callable[..., tuple[int, str, str]], source: Path, tmp_path: Path
) -> None:
    target = tmp_path / "disease.svg"
    assert run("disease", "--ontology", source, "-o", target) == (0, "", "")
    assert run("disease", "--in", source)[1].encode() == target.read_bytes()


def test_an_unknown_name_is_answered_with_a_guess(run: Callable[..., tuple[int, str, str]], source: Path, tmp_path: Path) -> None:
    code, out, err = run("diseese", "--ontology", source, "-o", tmp_path / "x.svg")
    assert (code, out) == (1, "")
    assert "Did you mean 'disease'?" in err
    assert not (tmp_path / "x.svg").exists()


def test_of_several_meanings_the_first_is_drawn_and_the_others_are_told(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "two.csv"
    path.write_text("id,name,parent\nm:1,mercury,\nm:2,mercury,\n")
    code, out, err = run("mercury", "--ontology", path)
    assert code == 0
    assert "(m:2)" in err
    assert run("m:2", "--ontology", path)[1] != out


def test_a_folder_that_is_not_there_is_told_in_a_sentence(
    run: Callable[..., tuple[int, str, str]], source: Path, tmp_path: Path
) -> None:
    code, _, err = run("disease", "--ontology", source, "-o", tmp_path / "no" / "x.svg")
    assert code == 4
    assert "There is no such folder" in err


# --- the picture ----------------------------------------------------------------------------------------------------------


def test_generalizations_stand_above_and_specializations_below(golden: Ontology) -> None:
    shown = texts(drawn(golden, "HIV infection"))
    own = float(shown["HIV infection"].get("y", "0"))
    for name in ("viral infection", "sexually transmitted disease", "infection", "disease", "entity"):
        assert float(shown[name].get("y", "0")) < own
    assert float(shown["viral infection"].get("y", "0")) > float(shown["infection"].get("y", "0"))
    assert float(shown["AIDS"].get("y", "0")) > own


def test_at_most_twenty_four_specializations_are_named(run: Callable[..., tuple[int, str, str]], source: Path) -> None:
    content = run("disease", "--ontology", source)[1]
    shown = texts(ElementTree.fromstring(content))
    assert sum(name.startswith("kind ") for name in shown) == 24
    assert "and 113 more" in shown


def test_relations_stand_at_the_sides_with_their_names() -> None:
    ontology = related([("zidovudine", "treats", "HIV"), ("HIV", "caused by", "virus")])
    shown = texts(drawn(ontology, "HIV"))
    own = float(shown["HIV"].get("x", "0"))
    assert float(shown["treats it"].get("x", "0")) != own
    assert float(shown["virus"].get("x", "0")) > own
    assert "zidovudine" in shown
    assert "caused by" in shown


def test_no_text_overlaps_another(golden: Ontology) -> None:
    many = [
        (f"drug with a very long name {number} {'W' * (number % 30)}", f"relation {number % 11}", "HIV") for number in range(90)
    ]
    many += [("HIV", f"other {number % 5}", f"thing {number}") for number in range(40)]
    parents = {f"general {number}": f"general {number + 1}" for number in range(20)} | {"general 20": ""}
    parents |= {f"wide general {number}": "general 5" for number in range(9)}
    parents |= {"HIV": ", ".join(["general 0", *(f"wide general {number}" for number in range(9))])}
    parents |= {f"kind of it {number} {'m' * (number % 40)}": "HIV" for number in range(60)}
    root = drawn(related(many, parents), "HIV")
    assert overlaps(root) == []
    wide, high = float(root.get("width", "0")), float(root.get("height", "0"))
    assert all(a[0] >= 0 and a[1] >= 0 and a[2] <= wide and a[3] <= high for a in map(box, root.iter(f"{SVG}text")))
    for name in ("HIV infection", "AIDS", "entity"):
        assert overlaps(drawn(golden, name)) == []


def test_names_are_escaped_and_the_picture_stands_alone() -> None:
    name = "</svg><script>alert(1)</script>&\"'\x00\x1b\u202e"
    records = Records("test")
    number, other = records.concept("t:1"), records.concept("t:2")
    records.name(number, name, Scope.PREFERRED)
    records.name(other, "plain", Scope.PREFERRED)
    records.parent(other, number)
    ontology = Ontology.from_records(records)
    content = picture(neighborhood(ontology, ontology.find("plain")[0])).decode()
    root = ElementTree.fromstring(content)
    assert not list(root.iter(f"{SVG}script"))
    assert "alert(1)" in content
    assert re.findall(r"https?://[^\"]*", content) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"url\(|@import|href", content)


def test_those_who_do_not_see_it_are_told(golden: Ontology) -> None:
    root = drawn(golden, "HIV infection")
    assert root.get("role") == "img"
    told = {one.get("id"): one.text or "" for one in root if one.get("id")}
    assert set(str(root.get("aria-labelledby")).split()) == set(told)
    assert "sexually transmitted disease" in told["about"]
    assert "AIDS" in told["about"]


def test_the_same_ontology_gives_the_same_bytes(golden: Ontology) -> None:
    concept = golden.find("HIV infection")[0]
    assert picture(neighborhood(golden, concept)) == picture(neighborhood(golden, concept))


def test_it_is_light_or_dark_as_the_reader_likes(golden: Ontology) -> None:
    assert b"prefers-color-scheme: dark" in picture(neighborhood(golden, golden.find("AIDS")[0]))
