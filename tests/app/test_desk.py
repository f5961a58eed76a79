"""What a reviewer can do, what is refused, and what becomes of it."""

from __future__ import annotations

import json
import stat
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgsan.app.audit import LOG, check_log
from kgsan.app.desk import Desk, finding_spans
from kgsan.app.drafting import drafted
from kgsan.app.problems import ReviewError
from kgsan.app.proposal import READS_BADLY, propose
from kgsan.app.replay import Ruling
from kgsan.policy.read import load_policy
from kgsan.report.certificate import check_certificate
from kgsan.report.record import is_record_of
from kgsan.sanitize.ladder import Refused, Rung
from kgsan.sanitize.sanitizer import Sanitizer
from tests.app.world import AGAIN, AIDS, DATE, RELEASED, SECRETS, TEXT, ZIDOVUDINE, desk_on, everything_in, place
from tests.report.toy import write_policy

if TYPE_CHECKING:
    from pathlib import Path

    from kgsan.app.chain import Span

DRUG, VIRAL = "toy-ontology:drug", "toy-ontology:viral-infection"
REASON = "The patient has agreed in writing."


def refusal(desk: Desk, *arguments: object, **more: object) -> ReviewError:
    with pytest.raises(ReviewError) as caught:
        desk.decide(1, *arguments, **more)  # type: ignore[arg-type]
    return caught.value


def text(desk: Desk) -> str:
    return desk.view(1).draft.text


def test_untouched_a_document_reads_as_the_engine_wrote_it(desk: Desk, sanitizer: Sanitizer) -> None:
    assert text(desk) == RELEASED == sanitizer.sanitize(TEXT).text


@pytest.mark.parametrize("policy", ["us-hiv", "hipaa-safe-harbor"])
def test_a_shipped_policy_reads_the_same_through_the_review(policy: str) -> None:
    shipped = Sanitizer(load_policy(policy))
    for example in shipped.policy.examples[:12]:
        proposal = propose(shipped, example.text)
        draft = drafted(proposal, {})
        assert draft.text == shipped.sanitize(example.text).text
        assert not draft.remaining


def test_accepting_everything_makes_it_ready(desk: Desk) -> None:
    assert desk.view(1).draft.open_count == 4
    desk.accept_rest(1)
    assert desk.view(1).draft.open_count == 0
    assert text(desk) == RELEASED


def test_a_more_general_rung_can_be_taken_everywhere(desk: Desk) -> None:
    desk.decide(1, ZIDOVUDINE, Ruling.GENERALIZE, rung=DRUG, everywhere=True)
    assert text(desk).startswith("He takes a drug. A drug helps")


def test_or_at_one_place_only(desk: Desk) -> None:
    desk.decide(1, AGAIN, Ruling.GENERALIZE, rung=DRUG)
    assert text(desk).startswith("He takes an antiviral drug. A drug helps")


def test_an_unsafe_rung_is_refused_with_the_reason(desk: Desk) -> None:
    error = refusal(desk, AIDS, Ruling.GENERALIZE, rung=VIRAL)
    assert error.code == "A110"
    assert "reveals too much of HIV" in error.sentence
    assert text(desk) == RELEASED


def test_a_rung_of_other_words_is_refused(desk: Desk) -> None:
    assert refusal(desk, AIDS, Ruling.GENERALIZE, rung=DRUG).code == "A112"


def test_words_of_style_are_those_that_the_engine_uses(sanitizer: Sanitizer) -> None:
    ontology = sanitizer.knowledge.stack[0]
    drug = ontology[DRUG]
    said = {
        found.because
        for name in ("other drugs, unspecified", "entity", "drug")
        for found in [sanitizer.ladders.refusal(Rung(name, replace(drug, name=name), 0))]
        if found is not None
    }
    assert said <= READS_BADLY | {"is a word of which nothing is known"}
    assert {"is a heading, not a word"} <= said
    assert isinstance(Refused(Rung("drug"), "says nothing"), Refused)


def test_blacking_out_hides_the_words(desk: Desk) -> None:
    desk.decide(1, AIDS, Ruling.REDACT)
    assert "helps against [REDACTED] and fatigue" in text(desk)


def test_what_is_undone_is_open_again(desk: Desk) -> None:
    desk.decide(1, AIDS, Ruling.REDACT)
    desk.undo(1, AIDS)
    assert text(desk) == RELEASED
    assert desk.view(1).draft.open_count == 4


@pytest.mark.parametrize("span", [(0, 2), (3, 900), place("fatigue")])
def test_nothing_can_be_decided_about_what_is_no_change(desk: Desk, span: Span) -> None:
    assert refusal(desk, span, Ruling.KEEP, reason=REASON).code == "A112"


# --- waivers ----------------------------------------------------------------------------------------------------------------


def test_what_is_kept_needs_a_reason(desk: Desk) -> None:
    assert refusal(desk, AIDS, Ruling.KEEP, reason="  ").code == "A111"


@pytest.mark.parametrize("reason", ["He has AIDS anyway.", "since aids is known", "all know of the Zidovudine"])
def test_a_reason_does_not_tell_what_is_hidden(desk: Desk, reason: str) -> None:
    assert refusal(desk, AIDS, Ruling.KEEP, reason=reason).code == "A111"


def test_what_is_kept_stays_and_is_listed(desk: Desk) -> None:
    desk.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    draft = desk.view(1).draft
    assert "helps against AIDS and fatigue" in draft.text
    assert not draft.remaining
    assert [(one.span, one.reason) for one in draft.waived] == [(AIDS, REASON)]


def test_one_place_that_is_kept_does_not_open_another(sanitizer: Sanitizer, tmp_path: Path) -> None:
    said = "The man has the AIDS. The AIDS is treated.\n"
    desk = desk_on(sanitizer, tmp_path, said)
    desk.decide(1, place("AIDS", said), Ruling.KEEP, reason=REASON)
    assert desk.view(1).draft.text.count("AIDS") == 1
    desk.close()


def test_a_waiver_stands_in_the_certificate_and_in_the_record(desk: Desk, tmp_path: Path) -> None:
    desk.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    desk.accept_rest(1)
    desk.release(1)
    proof = json.loads((tmp_path / "review/released/note-1.txt.certificate.json").read_text())
    assert proof["waivers"]["allow"] == [{"term": "AIDS", "because": REASON}]
    record = json.loads((tmp_path / "review/private/note-1.txt.record.json").read_text())
    assert record["review"]["waived"] == [{"start": AIDS[0], "end": AIDS[1], "reason": REASON}]


# --- hiding more ------------------------------------------------------------------------------------------------------------


def test_words_that_are_marked_are_hidden_too(desk: Desk) -> None:
    desk.hide(1, place("fatigue"))
    assert "fatigue" not in text(desk)
    desk.undo(1, place("fatigue"))
    assert text(desk) == RELEASED


def test_what_is_marked_moves_nothing_that_is_hidden(desk: Desk) -> None:
    desk.hide(1, place("ibuprofen"))
    assert text(desk).endswith("She takes a painkiller since [REDACTED].\n")
    desk.hide(1, place("since 3/4"))
    assert text(desk).endswith("She takes a painkiller [REDACTED].\n")
    desk.undo(1, place("since 3/4/2021"))
    assert text(desk).endswith("She takes a painkiller since [REDACTED].\n")


def test_blanks_around_marked_words_stay(desk: Desk) -> None:
    start, end = place("fatigue")
    desk.hide(1, (start - 1, end))
    assert place("fatigue") in [one.span for one in desk.view(1).draft.settled]


@pytest.mark.parametrize(("words", "count"), [("she", 1), ("TAKES", 2), ("takes  ibuprofen", 1)])
def test_typed_words_are_hidden_wherever_they_stand(desk: Desk, words: str, count: int) -> None:
    assert desk.hide_words(1, words) == count


@pytest.mark.parametrize("words", ["", "ibuprof", "nowhere", "zidovudine"])
def test_typed_words_that_are_nowhere_or_hidden_are_told(desk: Desk, words: str) -> None:
    with pytest.raises(ReviewError) as caught:
        desk.hide_words(1, words)
    assert caught.value.code == "A112"
    assert "nowhere " not in str(caught.value)


def test_hiding_what_was_kept_ends_the_waiver(desk: Desk) -> None:
    desk.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    desk.hide(1, AIDS)
    assert "AIDS" not in text(desk)
    assert not desk.view(1).draft.waived


# --- strictness -------------------------------------------------------------------------------------------------------------


def test_a_preview_saves_nothing(desk: Desk, tmp_path: Path) -> None:
    before = (tmp_path / "review" / LOG).read_bytes()
    assert desk.preview(1, "2").text.startswith("He takes a drug.")
    assert text(desk) == RELEASED
    assert (tmp_path / "review" / LOG).read_bytes() == before


def test_a_stricter_text_can_be_taken(desk: Desk) -> None:
    desk.decide(1, DATE, Ruling.ACCEPT)
    desk.take_strictness(1, "2")
    assert text(desk).startswith("He takes a drug.")
    assert desk.view(1).draft.open_count == 3


def test_less_strict_than_the_policy_needs_a_reason(desk: Desk) -> None:
    with pytest.raises(ReviewError) as caught:
        desk.take_strictness(1, "1")
    assert caught.value.code == "A111"
    desk.take_strictness(1, "1", REASON)
    assert desk.view(1).standing.strictness_reason == REASON


def test_only_steps_of_the_slider_can_be_taken(desk: Desk) -> None:
    with pytest.raises(ReviewError):
        desk.preview(1, "1e9")


# --- the policy -------------------------------------------------------------------------------------------------------------


def test_a_line_for_the_policy_is_one_that_a_policy_can_hold(desk: Desk, sanitizer: Sanitizer, tmp_path: Path) -> None:
    path = write_policy(tmp_path / "toy")
    before = path.read_bytes()
    desk.add_to_policy(1, place("ibuprofen"), "deny", 'It says "too much": here.')
    written = desk.add_to_policy(1, place("fatigue"), "allow", REASON)
    assert path.read_bytes() == before
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    path.write_bytes(before + written.read_bytes())
    policy = load_policy(path)
    assert [(one.term, one.because) for one in policy.deny] == [("ibuprofen", 'It says "too much": here.')]
    assert [(one.term, one.because) for one in policy.allow] == [("fatigue", REASON)]


def test_words_over_several_pages_are_no_line_of_a_policy(sanitizer: Sanitizer, tmp_path: Path) -> None:
    desk = desk_on(sanitizer, tmp_path, "word " * 100)
    with pytest.raises(ReviewError) as caught:
        desk.add_to_policy(1, (0, 400), "deny", REASON)
    assert caught.value.code == "A115"
    desk.close()


# --- releasing --------------------------------------------------------------------------------------------------------------


def test_nothing_is_released_before_everything_is_decided(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A113"
    assert not (tmp_path / "review" / "released").exists()


def test_a_release_is_verified_certified_and_private_where_it_must_be(desk: Desk, sanitizer: Sanitizer, tmp_path: Path) -> None:
    desk.accept_rest(1)
    written = {path.name: path for path in desk.release(1)}
    assert written["note-1.txt"].read_text() == RELEASED
    assert not sanitizer.verify(RELEASED)
    proof = json.loads(written["note-1.txt.certificate.json"].read_text())
    assert check_certificate(proof, sanitizer, RELEASED) == []
    assert is_record_of(json.loads(written["note-1.txt.record.json"].read_text()), TEXT)
    assert check_log(written["note-1.txt.audit.jsonl"], None)[1:] == ([], True)
    for path in (tmp_path / "review" / "private").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / "note-1.txt").read_text() == TEXT


def test_what_still_discloses_is_not_released(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.accept_rest(1)
    found = desk.settings.own.verify(TEXT)
    monkeypatch.setattr(Sanitizer, "verify", lambda self, text: found)
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A113"


def test_what_a_method_leaves_is_shown_and_can_be_hidden_or_kept(tmp_path: Path) -> None:
    careless = Sanitizer(load_policy(write_policy(tmp_path / "toy", method="spec", too_specific_above="40")))
    desk = desk_on(careless, tmp_path)
    left = {span for spans in finding_spans(desk.view(1).draft) for span in spans}
    assert left == {ZIDOVUDINE, AGAIN, AIDS}
    desk.accept_rest(1)
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A113"
    assert refusal(desk, AIDS, Ruling.KEEP, reason="That he has AIDS is known.").code == "A111"
    desk.hide_words(1, "zidovudine")
    desk.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    desk.accept_rest(1)
    desk.release(1)
    released = (tmp_path / "review/released/note-1.txt").read_text()
    assert released == RELEASED.replace("an infection", "AIDS")
    desk.close()


def test_a_waiver_holds_for_its_place_and_not_for_the_same_words_elsewhere(tmp_path: Path) -> None:
    careless = Sanitizer(load_policy(write_policy(tmp_path / "toy", method="spec", too_specific_above="40")))
    said = "The man has the AIDS. The AIDS is treated.\n"
    desk = desk_on(careless, tmp_path, said)
    desk.decide(1, place("AIDS", said), Ruling.KEEP, reason=REASON)
    desk.accept_rest(1)
    assert len(desk.view(1).draft.remaining) == 1
    assert desk.view(1).draft.open_count == 0
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A113"
    desk.close()


def test_a_second_release_that_differs_is_warned_of(desk: Desk) -> None:
    desk.accept_rest(1)
    desk.release(1)
    desk.release(1)  # the same text under the same settings tells nothing new
    desk.decide(1, AIDS, Ruling.REDACT)
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A114"
    assert desk.release(1, confirmed=True)


def test_the_same_content_in_another_file_is_the_same_document(sanitizer: Sanitizer, tmp_path: Path) -> None:
    desk = desk_on(sanitizer, tmp_path, TEXT, TEXT)
    for number in (1, 2):
        desk.accept_rest(number)
    desk.release(1)
    desk.take_strictness(2, "2")
    desk.accept_rest(2)
    with pytest.raises(ReviewError) as caught:
        desk.release(2)
    assert caught.value.code == "A114"
    desk.close()


def test_a_document_that_changed_meanwhile_is_not_released(desk: Desk, tmp_path: Path) -> None:
    desk.accept_rest(1)
    (tmp_path / "note-1.txt").write_text("Something else.")
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A113"


def test_a_document_in_the_folder_of_the_review_is_refused(sanitizer: Sanitizer, tmp_path: Path) -> None:
    inside = tmp_path / "review" / "released" / "note.txt"
    inside.parent.mkdir(parents=True)
    inside.write_text(TEXT)
    with pytest.raises(ReviewError) as caught:
        Desk(sanitizer, [inside], tmp_path / "review")
    assert caught.value.code == "A108"


def test_a_link_to_the_document_is_not_written_over(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "review" / "released" / "note-1.txt"
    target.parent.mkdir()
    target.symlink_to(tmp_path / "note-1.txt")
    desk.accept_rest(1)
    with pytest.raises(ReviewError) as caught:
        desk.release(1)
    assert caught.value.code == "A108"
    assert (tmp_path / "note-1.txt").read_text() == TEXT


# --- going on ---------------------------------------------------------------------------------------------------------------


def test_a_review_goes_on_after_it_was_ended(sanitizer: Sanitizer, tmp_path: Path) -> None:
    first = desk_on(sanitizer, tmp_path)
    first.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    first.decide(1, ZIDOVUDINE, Ruling.GENERALIZE, rung=DRUG)
    first.hide(1, place("fatigue"))
    before = text(first)
    first.log.close()  # as if it had been killed
    again = desk_on(sanitizer, tmp_path)
    assert text(again) == before
    assert again.view(1).draft.waived[0].reason == REASON
    again.close()


def test_another_policy_asks_again_for_what_was_kept(sanitizer: Sanitizer, tmp_path: Path) -> None:
    first = desk_on(sanitizer, tmp_path)
    first.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    first.decide(1, DATE, Ruling.ACCEPT)
    first.close()
    other = Sanitizer(load_policy(write_policy(tmp_path / "toy", version="'2'")))
    again = desk_on(other, tmp_path)
    assert "AIDS" not in text(again)
    assert again.view(1).draft.open_count == 3
    again.close()


def test_a_release_that_was_interrupted_is_not_done(
    sanitizer: Sanitizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_on(sanitizer, tmp_path)
    desk.accept_rest(1)

    def died(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("kgsan.app.desk.write", died)
        with pytest.raises(KeyboardInterrupt):
            desk.release(1)
    desk.log.close()
    again = desk_on(sanitizer, tmp_path)
    standing = again.view(1).standing
    assert standing.was_interrupted
    assert not standing.is_released
    again.release(1)
    assert again.view(1).standing.is_released
    again.close()


def test_other_words_in_the_file_start_the_document_anew(sanitizer: Sanitizer, tmp_path: Path) -> None:
    first = desk_on(sanitizer, tmp_path)
    first.accept_rest(1)
    first.close()
    (tmp_path / "note-1.txt").write_text("Now " + TEXT)
    again = desk_on(sanitizer, tmp_path)
    assert again.view(1).draft.open_count == 4
    again.close()


_PLACES = st.sampled_from([ZIDOVUDINE, AGAIN, AIDS, DATE, place("fatigue"), place("takes ibuprofen"), place("AIDS and fatigue")])
_DEEDS = st.one_of(
    st.tuples(st.sampled_from(["accept", "redact", "keep", "undo", "hide"]), _PLACES),
    st.tuples(st.just("generalize"), _PLACES),
    st.tuples(st.just("strictness"), st.sampled_from(["1.5", "2", "3"])),
    st.tuples(st.just("rest"), st.none()),
)


def _attempted(desk: Desk, deed: str, what: Any) -> None:
    if deed == "strictness":
        desk.take_strictness(1, what)
    elif deed == "rest":
        desk.accept_rest(1)
    elif deed in ("undo", "hide"):
        getattr(desk, deed)(1, what)
    else:
        desk.decide(1, what, Ruling(deed), rung=DRUG, reason=REASON)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds=st.lists(_DEEDS, max_size=8))
def test_whatever_is_done_the_log_tells_it_and_only_what_verifies_is_released(
    sanitizer: Sanitizer, tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("deeds")
    desk = desk_on(sanitizer, folder)
    for deed, what in deeds:
        with suppress(ReviewError):
            _attempted(desk, deed, what)
    before = desk.view(1)
    waived = [one.new for one in before.draft.waived]
    with suppress(ReviewError):
        desk.accept_rest(1)
        desk.release(1)
        released = (folder / "review/released/note-1.txt").read_text()
        for one in desk.settings.sanitizer(before.standing.strictness).verify(released):
            assert any(start <= one.start and one.end <= end for start, end in waived)
    desk.log.close()  # as if it had been killed
    again = desk_on(sanitizer, folder)
    assert again.view(1).draft.text == before.draft.text
    assert again.view(1).standing == desk.view(1).standing
    assert all(word not in text(again) or again.view(1).draft.waived for word in ("AIDS", "idovudine"))
    assert check_log(folder / "review" / LOG, None)[1] == []
    again.close()


def test_no_word_of_a_document_is_in_the_log(desk: Desk, tmp_path: Path) -> None:
    desk.decide(1, AIDS, Ruling.KEEP, reason=REASON)
    desk.decide(1, ZIDOVUDINE, Ruling.REDACT)
    desk.hide_words(1, "ibuprofen")
    desk.hide(1, place("fatigue"))
    desk.take_strictness(1, "2")
    desk.accept_rest(1)
    told = everything_in(tmp_path / "review").casefold()
    assert not [word for word in (*SECRETS, "note-1") if word in told]
