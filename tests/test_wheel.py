"""The built wheel, installed in a fresh environment outside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(REPO)]
    subprocess.run(command, check=True, capture_output=True)
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel; the packages it depends on are borrowed from this one to save the download."""
    home = tmp_path_factory.mktemp("user") / "env"
    venv.create(home, with_pip=False)
    interpreter = home / "bin" / "python"
    site = Path(
        subprocess.run(
            [interpreter, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True, check=True
        ).stdout.strip()
    )
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(interpreter),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return interpreter


def run(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run([str(python), *arguments], capture_output=True, text=True, cwd=python.parents[2], env=environment)


def test_the_wheel_carries_what_ships(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel).namelist()
    for kind in ("ontologies", "policies"):
        for path in (REPO / kind).rglob("*"):
            if path.is_file():
                assert f"kgsan/_bundled/{kind}/{path.relative_to(REPO / kind).as_posix()}" in inside
    assert "kgsan/py.typed" in inside
    assert "kgsan/knowledge/english.kgk" in inside
    assert any(name.endswith("licenses/NOTICE") for name in inside)
    assert not any(name.startswith(("tests", "benchmarks", "tools")) for name in inside)


def test_the_wheel_has_the_same_bytes_wherever_and_whenever_it_is_built(wheel: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    for name in ("kgsan", "ontologies", "policies"):
        shutil.copytree(REPO / name, elsewhere / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE", ".gitignore"):
        shutil.copy(REPO / name, elsewhere / name)
    for path in elsewhere.rglob("*"):
        os.utime(path, (987_654_321, 987_654_321))
        path.chmod(path.stat().st_mode & 0o700)
    surroundings = {**os.environ, "TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(elsewhere)]
    subprocess.run(command, check=True, capture_output=True, env=surroundings, umask=0o077)
    [again] = (tmp_path / "dist").glob("*.whl")
    assert again.name == wheel.name
    first, second = zipfile.ZipFile(wheel), zipfile.ZipFile(again)
    assert [(each.filename, each.CRC, each.date_time) for each in first.infolist()] == [
        (each.filename, each.CRC, each.date_time) for each in second.infolist()
    ]
    assert again.read_bytes() == wheel.read_bytes()


def test_the_installed_package_finds_its_own_ontologies(python: Path) -> None:
    script = "import kgsan; from kgsan.ontology.load import shipped; print(kgsan.__file__); print(*shipped().values(), sep='\\n')"
    done = run(python, "-c", script)
    assert done.returncode == 0, done.stderr
    home = str(python.parents[1])
    lines = done.stdout.splitlines()
    assert len(lines) > 1
    assert all(line.startswith(home) for line in lines)


def test_the_installed_command_answers(python: Path) -> None:
    done = run(python, "-m", "kgsan.cli", "ontology", "find", "HIV", "--in", "protected")
    assert done.returncode == 0, done.stderr
    assert "covers" in done.stdout
    assert (python.parent / "kgsan").exists()


def test_texts_are_read_outside_of_the_repository(python: Path) -> None:
    program = """
import kgsan
from kgsan.risk.senses import SenseGuard
from kgsan.text.document import Document
from kgsan.text.identifiers import identifiers
from kgsan.text.mentions import Finder
note = Document("Mrs. Okafor denies HIV. He smoked crack and heroin. Seen 3/4/21.")
stack = kgsan.load_ontology("protected")
mentions = Finder(stack).find(note)
reader = SenseGuard(stack).read(note, mentions)
print([(m.status.value, m.senses[0].concept.id, reader.verdict(m, m.senses[0]).counts) for m in mentions][:2])
print([found.kind for found in identifiers(note)], [name.kind for name in note.proper_names], len(note.noun_phrases))
"""
    done = run(python, "-c", program)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "[('negated', 'protected:HIV-infection', True), ('present', 'protected:cocaine-use-disorder', True)]",
        "['name', 'date'] ['person'] 4",
    ]


def test_the_installed_package_knows_that_zidovudine_reveals_hiv(python: Path) -> None:
    program = """
import kgsan
from kgsan.policy.sensitive import SensitiveTerms
known = kgsan.load_knowledge()
hiv = SensitiveTerms(kgsan.load_policy("us-hiv"), known.stack).topic(0)
[counted] = known.shares(hiv, "zidovudine")
decides = known.disclosure(hiv, "zidovudine", known.stack.find("zidovudine"))
print(counted.source, counted.low > 2 / 3, decides.stated, decides.low)
"""
    done = run(python, "-c", program)
    assert done.stderr == ""
    assert done.stdout == "english True True 1.0\n"


def test_the_installed_command_tells_what_reveals_hiv(python: Path) -> None:
    done = run(python, "-m", "kgsan.cli", "knowledge", "query", "zidovudine", "--entity", "HIV")
    assert done.returncode == 0, done.stderr
    assert "* decides" in done.stdout
