"""Derivations of a formula's entries, and scripts of its table."""

import builtins
import math
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from string import ascii_lowercase

import posenc_core.formula as language  # whose parts are loaded when a formula is read
from posenc_core.explain import Derivation, Dialect, Rounded, Snippet, Step, significant

_WORDS = {
    "p": "position p", "c": "column c", "i": "pair i", "d": "width d", "L": "length L", "b": "base b",
    "n": "distance n", "delta": "key - query delta", "h": "head h", "H": "heads H",
}  # fmt: skip

_TAKEN = {
    *dir(builtins), "math", "np", "plt", "torch", "FuncNorm", "LinearSegmentedColormap",
    "families", "fig", "maps", "positions", "rows", "table", *(f"table_{letter}" for letter in ascii_lowercase),
}  # fmt: skip
"""Names that scripts use around a formula: of Python, of libraries, and of values that exist before a table."""


def entry_derivation(
    name: str, cell: tuple[int, int], tree: "language.Node", numbers: Mapping[str, float], entry: float
) -> Derivation:
    """The names with their numbers, then a step per operation; a last step if the ``entry`` is left out."""
    used = [each for each in tree.names() if each not in language.CONSTANTS]
    text, latex = language.inserted_text(tree, numbers)
    derived = language.formula_steps(tree, numbers)
    value, steps = derived[-1].value, [step for step in derived if math.isfinite(step.value)]
    endless = [step.text.rpartition(" ≈ ")[0] for step in derived if not math.isfinite(step.value)]
    if used:
        words = ", ".join(f"{_WORDS.get(each, each)}: {_shown(numbers[each]).text}" for each in used)
        latex_of = {each: language.as_latex(language.Node("name", name=each)) for each in used}
        named = r",\; ".join(f"{latex_of[each]} = {_shown(numbers[each]).latex}" for each in used)
        steps.insert(0, Step(words, named, float(numbers[used[0]])))
    is_left_out = not (math.isfinite(value) and math.isclose(value, entry, rel_tol=1e-6, abs_tol=1e-9))
    if is_left_out:
        why = f"{endless[0]} is not finite" if endless else "too large"
        steps.append(Step(f"{why}: shown as {entry:g}", rf"\text{{shown as}}\; {entry:g}", entry))
    python = f"print({entry!r})  # {'Python has no infinite number in between' if endless else 'too large'}\n"
    if not (endless or is_left_out):
        names = _script_names(used)
        assigned = "".join(f"{names[each]} = {float(numbers[each])!r}\n" for each in used)
        python = f"import math\n\n{assigned}print(float({language.as_math(_renamed(tree, names))}))\n"
    return Derivation.of_entry(name, cell, text, latex, python, tuple(steps))


def _shown(number: float) -> Rounded:
    """The number in the fewest digits that reproduce its float: 0.08, not the float's 0.080000000000000002."""
    return significant(Decimal(repr(float(number))), 17)


def _script_names(used: Collection[str]) -> dict[str, str]:
    """The names of a script for those of a formula: with underscores if scripts mean something else by them."""
    found: dict[str, str] = {}
    for name in used:
        found[name] = name
        while name in _TAKEN and (found[name] in used or found[name] in _TAKEN):
            found[name] += "_"
    return found


def _renamed(node: "language.Node", names: Mapping[str, str]) -> "language.Node":
    """The formula with other names."""
    parts = tuple(_renamed(part, names) for part in node.parts)
    return language.Node(node.kind, parts, names.get(node.name, node.name), node.value)


def table_source(parts: Sequence["language.Node"], numbers: Mapping[str, float], width: int, code: Dialect) -> Snippet:
    """Lines of a script that define ``table`` for its ``positions``, with a formula for every nth column."""
    used = {name for tree in parts for name in tree.names()} - language.CONSTANTS.keys()
    names = _script_names(used)
    lines = [f"{names[name]} = {code.numbers(repr(number))}" for name, number in numbers.items() if name in used]
    points = f"{code.real('positions')}[:, None]"
    lines += [f"{name} = {points}" for name in ("p", "delta") if name in used]
    if "n" in used:
        lines.append(f"n = abs({points})  # key - query without its sign")
    if "h" in used:
        lines.append(f"h = {code.real(code.whole(str(width)))}")
    lines.append(f"table = {code.zeros(str(width))}")
    for part, tree in enumerate(parts[:width]):
        columns = f"{part}, {width}, {len(parts)}" if len(parts) > 1 else str(width)
        if {"c", "i"} & {*tree.names()}:
            lines.append(f"c = {code.real(code.whole(columns))}")
        if "i" in tree.names():
            lines.append("i = c // 2")
        place = f"{part}::{len(parts)}" if len(parts) > 1 else ":"
        lines.append(f"table[:, {place}] = {language.in_dialect(_renamed(tree, names), code)}")
    return Snippet(tuple(lines))
