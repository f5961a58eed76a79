"""Which small mistakes a module can have: each is one place in its source, written otherwise."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
#: Functions in which the wording alone would change.
_WORDING = frozenset({"__repr__", "__str__"})
#: Calls whose arguments are about speed or wording, never about an answer.
_NOT_AN_ANSWER = frozenset({"lru_cache", "cache", "field", "warn", "debug", "info"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module's source with one mistake in it."""

    path: str
    lines: range  #: of the statement that was changed
    line: int
    kind: str
    before: str  #: the line as it is
    after: str  #: the line with the mistake
    source: str
    function: str | None  #: the outermost function around it, as Python qualifies its name; None: it runs at import

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


def mutants(path: str, source: str) -> list[Mutant]:
    """Every mistake of the kinds known here, in the order of the source.

    >>> [(made.kind, made.after) for made in mutants("toy.py", "def least(a, b):\\n    return a < b\\n")]
    [('return', 'return None'), ('comparison', 'return a <= b')]
    """
    tree = ast.parse(source)
    original = compile(source, path, "exec", dont_inherit=True)
    made = []
    seen = {source}
    for place in _places(tree):
        for kind, node, text in _changes(place.node, place.statement):
            mutated = _written(source, node, text)
            if mutated in seen:
                continue
            seen.add(mutated)
            try:
                if compile(mutated, path, "exec", dont_inherit=True) == original:
                    continue
            except (SyntaxError, ValueError):
                continue
            at = node.lineno
            lines = range(place.statement.lineno, max(_last_line(place.statement), at) + 1)
            before, after = source.splitlines()[at - 1].strip(), mutated.splitlines()[at - 1].strip()
            made.append(Mutant(path, lines, at, kind, before, after, mutated, place.function))
    return made


def _last_line(statement: ast.stmt) -> int:
    """Where a statement ends, or its head where it has a body."""
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if body else statement.end_lineno or statement.lineno


@dataclass(frozen=True, slots=True)
class _Place:
    node: ast.AST
    statement: ast.stmt
    function: str | None


def _places(tree: ast.Module) -> Iterator[_Place]:
    """Every node that may be changed, with the statement and the function it stands in."""
    yield from (place for statement in tree.body for place in _within(statement, statement, (), None))


def _within(node: ast.AST, statement: ast.stmt, classes: tuple[str, ...], function: str | None) -> Iterator[_Place]:
    if isinstance(node, ast.stmt):
        statement = node
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert)) or _is_docstring(node):
        return
    if isinstance(node, ast.Call) and _called(node) in _NOT_AN_ANSWER:
        return
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if node.name in _WORDING:
            return
        inside = function or ".".join((*classes, node.name))
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            yield from _within(default, statement, classes, function)
        for each in node.body:
            yield from _within(each, each, classes, inside)
        return
    if isinstance(node, ast.ClassDef):
        for each in node.body:
            yield from _within(each, each, (*classes, node.name), function)
        return
    yield _Place(node, statement, function)
    if isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield from _within(node.value, statement, classes, function)
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.FormattedValue)):
            yield from _within(child, statement, classes, function)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, (str, type(...)))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""


def _changes(node: ast.AST, statement: ast.stmt) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """What to write in the place of a node, and what kind of mistake that is."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                changed = copy.deepcopy(node)
                changed.ops[at] = _COMPARISONS[type(op)]()
                yield "comparison", node, ast.unparse(changed)
        case ast.BoolOp(op=op):
            changed_bool = copy.deepcopy(node)
            changed_bool.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and, or", node, f"({ast.unparse(changed_bool)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", node, f"bool({ast.unparse(operand)})"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield "sign", node, f"(+{ast.unparse(operand)})"
        case ast.BinOp(op=op) if type(op) in _ARITHMETIC and not _is_text(node):
            changed_sum = copy.deepcopy(node)
            changed_sum.op = _ARITHMETIC[type(op)]()
            yield "arithmetic", node, f"({ast.unparse(changed_sum)})"
        case ast.Constant(value=bool() as value):
            yield "True, False", node, str(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", node, f"({value + 1})" if value else "(1)"
            yield "constant", node, f"({value - 1})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "condition", node, f"({ast.unparse(orelse)} if {ast.unparse(test)} else {ast.unparse(body)})"
        case ast.Slice(lower=lower, upper=upper):
            if lower is not None:
                yield "slice", node, f":{ast.unparse(upper) if upper else ''}"
            if upper is not None:
                yield "slice", node, f"{ast.unparse(lower) if lower else ''}:"
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            changed_call = copy.deepcopy(node)
            changed_call.func = ast.Name("max" if name == "min" else "min")
            yield "min, max", node, ast.unparse(changed_call)
        case ast.Call(func=ast.Name(id="any" | "all" as name)):
            changed_call = copy.deepcopy(node)
            changed_call.func = ast.Name("all" if name == "any" else "any")
            yield "any, all", node, ast.unparse(changed_call)
        case ast.comprehension(ifs=ifs):
            for test in ifs:
                yield "filter", test, "True"
        case ast.Return(value=value) if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            yield "return", node, "return None"
        case ast.Break():
            yield "break, continue", node, "continue"
        case ast.Continue():
            yield "break, continue", node, "break"
        case ast.Expr() | ast.AugAssign() | ast.Delete():
            if node is statement:
                yield "removed", node, "pass"
        case ast.If(test=test) | ast.While(test=test):
            yield "condition", test, f"(not ({ast.unparse(test)}))"


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(side, (ast.JoinedStr, ast.Constant)) and not _is_number(side) for side in (node.left, node.right))


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _written(source: str, node: ast.expr | ast.stmt, text: str) -> str:
    """The source with the text in the place of the node; columns of the syntax tree are counted in UTF-8."""
    lines = source.encode().splitlines(keepends=True)
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    stop = sum(map(len, lines[: end_line - 1])) + end
    whole = source.encode()
    gap = b"\n" * (end_line - node.lineno) if isinstance(node, ast.stmt) else b""
    return (whole[:start] + text.encode() + gap + whole[stop:]).decode()
