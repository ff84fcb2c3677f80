"""Derivation of a component of a rotated query or key: the angle, its cosine and sine, and two products."""

import decimal
from decimal import Decimal

from posenc_core.explain.derivation import Derivation, Rounded, Step, bracketed, to_decimals
from posenc_core.explain.harmonic import DECIMAL_CONTEXT, ENTRY_DECIMALS
from posenc_core.explain.rotary import ScaledEntry
from posenc_core.numerics import FloatArray


def rotation_steps(
    entries: tuple[ScaledEntry, ScaledEntry], members: tuple[int, int], vector: FloatArray, column: int
) -> Derivation:
    """The derivation of a component of a rotated vector: ``x0 cos - x1 sin`` or ``x0 sin + x1 cos``.

    ``entries`` are the pair's cosine and sine at the position, ``members`` its two columns, one of which is
    ``column``; ``vector`` ``(head_dim,)`` is the vector before its rotation.
    """
    cosine, sine = entries
    factor, is_first = cosine.attention_factor, column == members[0]
    operator = "-" if is_first else "+"
    (first, one), (second, other) = zip(members, entries if is_first else (sine, cosine), strict=True)
    x0, x1 = float(vector[first]), float(vector[second])
    entry0, entry1 = factor * one.value, factor * other.value
    formula = f"x{first} {one.part} φ {operator} x{second} {other.part} φ"
    latex = rf"x_{{{first}}} \{one.part}\varphi {operator} x_{{{second}}} \{other.part}\varphi"
    if factor != 1:
        formula, latex = f"a · ({formula})", f"a ({latex})"
    symbol, symbol_latex = f"y({cosine.position}, {column})", f"y_{{{column}}}"
    partner = Step(
        f"column {column} is the {'first' if is_first else 'second'} of pair i = {cosine.pair}, "
        f"columns {first} and {second}",
        f"i = {cosine.pair}",
        float(cosine.pair),
    )
    with decimal.localcontext(DECIMAL_CONTEXT):
        steps = (
            partner,
            *cosine.frequency_steps(),
            *cosine.rotation_angle_steps(),
            cosine.value_step(),
            *cosine.factor_steps(),
            *cosine.product_steps(),
            sine.value_step(),
            *sine.product_steps(),
            _product(first, one, x0, entry0),
            _product(second, other, x1, entry1),
            _sum(symbol, symbol_latex, x0 * entry0, -x1 * entry1 if is_first else x1 * entry1),
        )
    python = f"print({x0!r} * {entry0!r} {operator} {x1!r} * {entry1!r})\n"
    return Derivation(symbol, f"{symbol} = {formula}", f"{symbol_latex} = {latex}", python, steps)


def passed_through(position: int, value: float, column: int, rotated: str) -> Derivation:
    """The derivation of a component that is not rotated, its ``value``; ``rotated`` names the columns that are."""
    symbol = f"y({position}, {column})"
    text = f"column {column} is not among {rotated}, which are rotated: it passes through, x{column}"
    latex = f"y_{{{column}}} = x_{{{column}}}"
    step = _shown(value).step(text, latex, value)
    return Derivation(symbol, f"{symbol} = x{column}", latex, f"print({value!r})\n", (step,))


def _shown(value: float) -> Rounded:
    return to_decimals(Decimal(value), ENTRY_DECIMALS)


def _product(member: int, wave: ScaledEntry, x: float, entry: float) -> Step:
    """A component of the vector times the cosine or sine, which in ``entry`` includes the attention factor."""
    shown_x, shown, a = _shown(x), wave.shown(entry), "a " if wave.attention_factor != 1 else ""
    return _shown(x * entry).step(
        f"x{member} {a}{wave.part} φ = {shown_x.factor} · {bracketed(shown.text)}",
        rf"x_{{{member}}} {a}\{wave.part}\varphi = {shown_x.latex} \cdot {bracketed(shown.latex)}",
        x * entry,
    )


def _sum(symbol: str, symbol_latex: str, one: float, other: float) -> Step:
    """The sum of the two products; a negative second product is subtracted."""
    first, second, sign = _shown(one), _shown(abs(other)), "-" if other < 0 else "+"
    return _shown(one + other).step(
        f"{symbol} = {first.text} {sign} {second.text}",
        f"{symbol_latex} = {first.latex} {sign} {second.latex}",
        one + other,
    )
