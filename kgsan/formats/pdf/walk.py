"""A page carried out operator by operator: what it shows is told, and what it draws is written anew, nothing else."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import ContentStreamInlineImage, ContentStreamInstruction, Operator

from kgsan.formats.pdf.limits import DEEPEST, MOST_LETTERS, Unreadable, unpacked
from kgsan.formats.pdf.matrices import SAME, matrix, moved, product
from kgsan.formats.pdf.operators import DRAWING, NAMING, OWN_COLOURS, SHOWING, is_number
from kgsan.formats.pdf.resources import Resources
from kgsan.formats.pdf.showing import Cut, Placed, Rewriter, Shown, State, place_glyphs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgsan.formats.pdf.book import Book
    from kgsan.formats.pdf.fonts import Font


class Walk:
    """One page or appearance, carried out. Without a copier in the book it is only read."""

    def __init__(self, book: Book, cuts: Mapping[tuple[int, int], Sequence[Cut]] | None = None) -> None:
        self.book = book
        self.glyphs: list[Placed] = []
        self._cuts = cuts or {}
        self._streams = 0

    def content(self, source: Any, resources: Resources, state: State, depth: int = 0) -> bytes:
        """Carry out a content stream: what it is now."""
        if depth > DEEPEST:
            raise Unreadable("holds drawings within drawings without end")
        number, self._streams = self._streams, self._streams + 1
        parts = source if isinstance(source, pikepdf.Array) else [source]
        content = b"\n".join(unpacked(part) for part in parts if isinstance(part, pikepdf.Stream))
        scratch = pikepdf.new()  # lives as long as what is parsed in it
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # operands at the end without an operator: nothing is drawn with them
            instructions = list(pikepdf.parse_content_stream(pikepdf.Stream(scratch, content)))
        self.book.budget.spend(len(instructions) + (1000 if depth else 1))  # to begin is dear
        return self._carried_out(instructions, resources, state, number, depth)

    def _carried_out(self, instructions: Sequence[Any], resources: Resources, state: State, number: int, depth: int) -> bytes:
        made: list[Any] = []
        saved: list[State] = []
        marked: list[bool] = []
        for at, instruction in enumerate(instructions):
            if isinstance(instruction, ContentStreamInlineImage):
                if self._picture_stays():
                    made.append(instruction)
                continue
            name, operands = str(instruction.operator), list(instruction.operands)
            if name in DRAWING:
                numbers = [one for one in operands if is_number(one)]
                wanted = DRAWING[name]
                if len(numbers) < wanted:
                    continue
                numbers = numbers[len(numbers) - wanted :]
                state = self._set(name, [float(one) for one in numbers], state, saved)
                made.append(ContentStreamInstruction(numbers, Operator(name)))
            elif name in SHOWING:
                made += self._show(name, operands, state, resources, (number, at))
            elif name in ("BDC", "BMC"):
                layer = resources.layer(operands) if name == "BDC" else None
                marked.append(layer is not None)
                if layer is not None:
                    made.append(ContentStreamInstruction([pikepdf.Name.OC, pikepdf.Name(layer)], Operator("BDC")))
            elif name == "EMC":
                if marked and marked.pop():
                    made.append(ContentStreamInstruction([], Operator("EMC")))
            else:
                made += self._with_resource(name, operands, resources, state, depth)
        made += [ContentStreamInstruction([], Operator("EMC")) for kept in marked if kept]
        made += [ContentStreamInstruction([], Operator("Q")) for _ in saved]
        return pikepdf.unparse_content_stream(made) if self.book.copier is not None else b""

    def _set(self, name: str, numbers: list[float], state: State, saved: list[State]) -> State:
        match name:
            case "q":
                saved.append(state.copy())
            case "Q" if saved:
                line, along, in_text = state.line, state.along, state.in_text
                state = saved.pop()
                state.line, state.along, state.in_text = line, along, in_text
            case "cm":
                state.place = product(matrix(numbers), state.place)
            case "BT" | "ET":
                state.begin_line(SAME)
                state.in_text = name == "BT"
            case "Tm":
                state.begin_line(matrix(numbers))
            case "Td" | "TD":
                state.next_line(*numbers)
                if name == "TD":
                    state.leading = -numbers[1]
            case "T*":
                state.next_line(0.0, -state.leading)
            case "TL":
                state.leading = numbers[0]
            case "Tc":
                state.between = numbers[0]
            case "Tw":
                state.words = numbers[0]
            case "Tz":
                state.stretch = numbers[0] / 100
            case "Ts":
                state.rise = numbers[0]
            case "Tr":
                state.mode = int(numbers[0])
            case "g" | "rg":
                state.light = min(numbers) > 0.7
            case "k":
                state.light = max(numbers) < 0.3
        return state

    def _show(self, name: str, operands: list[Any], state: State, resources: Resources, place: tuple[int, int]) -> list[Any]:
        shown: list[Shown] = []
        made: list[Any] = []
        if name in ("'", '"'):
            if name == '"' and len(operands) >= 3:
                state.words, state.between = float(operands[-3]), float(operands[-2])
                made += [
                    ContentStreamInstruction([operands[-3]], Operator("Tw")),
                    ContentStreamInstruction([operands[-2]], Operator("Tc")),
                ]
            made.append(ContentStreamInstruction([], Operator("T*")))
            state.next_line(0.0, -state.leading)
        if operands and name == "TJ" and isinstance(operands[-1], pikepdf.Array):
            for one in operands[-1]:
                if isinstance(one, pikepdf.String):
                    shown.append(bytes(one))
                elif is_number(one):
                    shown.append(float(one))
        elif operands and isinstance(operands[-1], pikepdf.String):
            shown.append(bytes(operands[-1]))
        if len(self.glyphs) + sum(len(piece) for piece in shown if isinstance(piece, bytes)) > MOST_LETTERS:
            raise Unreadable("shows more letters than a page can hold")
        before = state.copy()
        glyphs = place_glyphs(shown, state, *place)
        self.glyphs += glyphs
        copier, stamps = self.book.copier, self.book.stamps
        if copier is None or stamps is None:
            return made
        assert state.font is not None
        restore = resources.font(state.source, state.font, self.book.drawn_letters.get(id(state.font)))
        cuts = self._cuts.get(place, ())
        gone = {index for cut in cuts for index in range(cut.first, cut.last)}
        codes = [code for piece in shown if isinstance(piece, bytes) for code in state.font.codes(piece)]
        copier.font(state.source, state.font)[1].update(code for index, code in enumerate(codes) if index not in gone)
        rewriter = Rewriter(stamps, resources.stamp)
        return [*made, *rewriter.rewritten(shown, before, cuts, restore)]

    def _with_resource(self, name: str, operands: list[Any], resources: Resources, state: State, depth: int) -> list[Any]:
        """Operators that name something else: a font, a drawing, a colour. What is unknown is left out."""
        called = next((one for one in reversed(operands) if isinstance(one, pikepdf.Name)), None)
        numbers = [one for one in operands if is_number(one)]
        if name in ("sc", "SC", "scn", "SCN"):
            pattern = resources.find("/Pattern", called) if called is not None else None
            if pattern is None:
                return [ContentStreamInstruction(numbers, Operator(name))] if numbers and called is None else []
            painted = self._drawn(pattern, state, depth, resources) if isinstance(pattern, pikepdf.Stream) else None
            kept = resources.keep("/Pattern", pattern, painted)
            return [ContentStreamInstruction([*numbers, pikepdf.Name(kept)], Operator(name))]
        if name == "ri" and called in ("/AbsoluteColorimetric", "/RelativeColorimetric", "/Saturation", "/Perceptual"):
            return [ContentStreamInstruction([called], Operator(name))]
        if name == "d" and len(operands) == 2 and isinstance(operands[0], pikepdf.Array):
            dashes = [one for one in operands[0] if not isinstance(one, pikepdf.Object)]
            return [ContentStreamInstruction([pikepdf.Array(dashes), *numbers[-1:]], Operator(name))]
        if called is None or name not in NAMING:
            return []
        if name in ("cs", "CS") and called in OWN_COLOURS:
            return [ContentStreamInstruction([called], Operator(name))]
        found = resources.find(NAMING[name], called)
        if found is None:
            if name == "Tf":
                state.font = None
            return []
        copy = None
        if name == "Tf":
            if not numbers:
                return []
            state.font, state.source, state.size = self.book.font(found), found, float(numbers[-1])
            self._drawn_letters(found, state.font)
            kept = resources.font(found, state.font, self.book.drawn_letters.get(id(state.font)))
            return [ContentStreamInstruction([pikepdf.Name(kept), numbers[-1]], Operator(name))]
        if name == "gs":
            copy = self._settings(found, state, depth, resources)
        elif name == "Do":
            if str(found.get("/Subtype")) == "/Image":
                if not self._picture_stays():
                    return []
                copy = self.book.copier.picture(found) if self.book.copier is not None else None
            elif str(found.get("/Subtype")) == "/Form":
                copy = self._drawn(found, state, depth, resources)
            else:
                return []
        kept = resources.keep(NAMING[name], found, copy)
        return [ContentStreamInstruction([pikepdf.Name(kept)], Operator(name))]

    def _settings(self, source: Any, state: State, depth: int, resources: Resources) -> Any:
        if "/Font" in source:
            state.font, state.source, state.size = self.book.font(source.Font[0]), source.Font[0], float(source.Font[1])
            self._drawn_letters(state.source, state.font)
        mask = source.get("/SMask")
        drawn = None
        if isinstance(mask, pikepdf.Dictionary) and isinstance(mask.get("/G"), pikepdf.Stream):
            drawn = self._drawn(mask.G, state, depth, resources)
        if self.book.copier is None:
            return None
        plain = pikepdf.Dictionary({key: source[key] for key in source.keys() if key not in ("/Font", "/SMask")})  # noqa: SIM118
        copy = self.book.copier.inert(plain)
        if "/Font" in source and state.font is not None:
            copy["/Font"] = pikepdf.Array([self.book.copier.font(source.Font[0], state.font)[0], source.Font[1]])
        if drawn is not None:
            kept = pikepdf.Dictionary({key: mask[key] for key in ("/Type", "/S", "/BC", "/TR") if key in mask})
            copy["/SMask"] = self.book.copier.inert(kept)
            copy["/SMask"]["/G"] = drawn
        elif mask == "/None":
            copy["/SMask"] = pikepdf.Name("/None")
        return copy

    def _drawn(self, source: Any, state: State, depth: int, given: Resources) -> Any:
        """A drawing within a drawing, once more for every place where it shows text."""
        if source.is_indirect and source.objgen in self.book.wordless:
            return self.book.wordless[source.objgen]
        inner = state.copy()
        inner.place = product(matrix(source.get("/Matrix", SAME)), state.place)
        inner.in_text = False
        shown = len(self.glyphs)
        resources = Resources(source.get("/Resources", given.given), self.book.copier)
        content = self.content(source, resources, inner, depth + 1)
        copy = self.book.copier.drawing(source, content, resources.made) if self.book.copier is not None else None
        if len(self.glyphs) == shown and source.is_indirect:
            self.book.wordless[source.objgen] = copy
        return copy

    def _drawn_letters(self, source: Any, font: Font) -> None:
        """See through the drawings of a font that draws its letters. They may not show text themselves."""
        if source.get("/Subtype") != "/Type3" or id(font) in self.book.drawn_letters:
            return
        self.book.drawn_letters[id(font)] = None
        inner = Walk(self.book)
        resources = Resources(source.get("/Resources", pikepdf.Dictionary()), self.book.copier)
        made = pikepdf.Dictionary()
        for name in source.CharProcs.keys():  # noqa: SIM118 - a PDF dictionary is no mapping
            content = inner.content(source.CharProcs[name], resources, State(), DEEPEST - 2)
            if self.book.copier is not None:
                made[name] = self.book.copier.target.make_stream(content)
        if inner.glyphs:
            raise Unreadable("shows letters that are drawn with other letters")
        self.book.drawn_letters[id(font)] = (made, resources.made)

    def _picture_stays(self) -> bool:
        if self.book.rules.pictures == "stop":
            raise Unreadable("holds a picture, and what a picture shows is not read")
        return self.book.rules.pictures == "keep"

    def appearance(self, source: Any, left: float, bottom: float) -> Any:
        """The picture of a note, somewhere about its place on the page."""
        return self._drawn(source, State(place=moved(SAME, left, bottom)), 1, Resources(pikepdf.Dictionary(), self.book.copier))
