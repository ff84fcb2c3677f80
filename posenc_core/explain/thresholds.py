"""Derivations of first positions: a pair leaves its trained arc, or two encodings drift apart."""

import math

from msgspec.structs import replace

from posenc_core.explain.derivation import Derivation, Digits, Step

_DIGITS, _DEGREE = Digits(10), r"\circ"

ARC_ROUNDING = 1e-14
"""Share of a position that is the rounding of its two frequencies: an arc that ends so near a position ends there."""


def unseen_derivation(pair: int, frequencies: tuple[float, float], lengths: tuple[int, int], first: int) -> Derivation:
    """The derivation of a pair's ``first`` unseen position; -1 for a pair whose angles were all seen.

    ``frequencies`` are those in training and after scaling, in rad per token; ``lengths`` the trained and the target
    length in positions.
    """
    trained, scaled = (_DIGITS(frequency) for frequency in frequencies)
    length, target = lengths
    arc = frequencies[0] * length
    steps = [
        _DIGITS.frequency_step("frequency in training θ", rf"\theta_{{{pair}}}", frequencies[0]),
        _DIGITS.frequency_step("frequency now θ'", rf"\theta'_{{{pair}}}", frequencies[1]),
        _DIGITS.step(
            f"trained arc θ L = {trained.factor} · {length}", rf"\theta L = {trained.latex} \cdot {length}", arc, " rad"
        ),
    ]
    reach = frequencies[0] / frequencies[1] * length if frequencies[1] > 0 else math.inf
    if arc >= 2 * math.pi:
        steps.append(Step("a full circle (2π) or more: training showed every angle", r"\theta L \geq 2\pi", -1.0))
    elif math.isinf(reach):
        steps.append(Step("the pair does not turn: it has one angle", r"\theta' = 0", -1.0))
    else:
        turned, end = _DIGITS(arc), _DIGITS(reach)
        steps.append(
            replace(end, exact=end.exact and turned.exact and scaled.exact).step(
                f"the arc ends at position θ L/θ' = {turned.text}/{scaled.factor}",
                rf"\frac{{\theta L}}{{\theta'}} = \frac{{{turned.latex}}}{{{scaled.latex}}}",
                reach,
            )
        )
        steps.append(_last_step(reach, target, first))
    symbol = f"unseen({pair})"
    python = _unseen_python(frequencies, lengths)
    return Derivation(
        symbol,
        f"{symbol} = floor(θ L / θ') + 1, if θ L < 2π",
        r"p = \left\lfloor \theta L / \theta' \right\rfloor + 1 \quad (\theta L < 2\pi)",
        python,
        tuple(steps),
    )


def _last_step(reach: float, target: int, first: int) -> Step:
    after = math.floor(reach * (1 + ARC_ROUNDING)) + 1
    if first < 0:
        text = f"first unseen position {after}, which is not below the target length {target}"
        return Step(text, rf"{after} \geq {target}", -1.0)
    return Step(f"first unseen position: {first}", f"p = {first}", float(first))


def _unseen_python(frequencies: tuple[float, float], lengths: tuple[int, int]) -> str:
    trained, scaled = frequencies
    return (
        "import math\n\n"
        f"trained, now = {trained!r}, {scaled!r}  # rad per token\n"
        f"length, target = {lengths[0]}, {lengths[1]}\n"
        "first = -1\n"
        "if 0 < now and trained * length < 2 * math.pi:\n"
        f"    leaves = math.floor(trained / now * length * (1 + {ARC_ROUNDING})) + 1  # up by what is rounded\n"
        "    first = leaves if leaves < target else -1\n"
        "print(first)\n"
    )


def drift_derivation(
    pair: int, frequencies: tuple[float, float], start: float, degrees: float, first: int
) -> Derivation:
    """The derivation of the ``first`` position at which a pair is off by more than ``degrees``, -1 for never.

    ``frequencies`` are the signed frequencies of both encodings in rad per token, ``start`` the difference of their
    angles at position 0 in rad.
    """
    one, other = frequencies
    slope, limit, shown = other - one, math.radians(degrees), _DIGITS(degrees)
    steps = [
        _DIGITS.frequency_step("frequency in A", rf"\theta_{{{pair}}}^A", one),
        _DIGITS.frequency_step("frequency in B", rf"\theta_{{{pair}}}^B", other),
        _DIGITS.frequency_step("difference B - A", rf"\theta_{{{pair}}}^B - \theta_{{{pair}}}^A", slope),
        _DIGITS.step(f"threshold {shown.text}°", shown.power_latex(_DEGREE), limit, " rad"),
    ]
    if start:
        steps.append(_DIGITS.step("difference at position 0: Δ_0", r"\Delta_0", start, " rad"))
    if first < 0:
        steps.append(Step("the difference never exceeds the threshold", r"p = \text{never}", -1.0))
    else:
        angle = _DIGITS(abs(start + first * slope))
        steps.append(
            Step(
                f"first position with a larger difference: {first}, where it is {angle.text} rad",
                rf"p = {first}: |\Delta_p| {angle.sign_latex} {angle.latex}",
                float(first),
            )
        )
    symbol, at_zero, at_zero_latex = f"drift({pair})", "Δ_0 + " if start else "", r"\Delta_0 + " if start else ""
    turned = rf"p (\theta^B_{{{pair}}} - \theta^A_{{{pair}}})"
    return Derivation(
        symbol,
        f"{symbol} = the first p with |{at_zero}p · (θ_B - θ_A)| > {shown.text}°",
        rf"\min \{{ p : |{at_zero_latex}{turned}| > {shown.power_latex(_DEGREE)} \}}",
        f"print({first})  # the smallest p with abs({start!r} + p * {slope!r}) > {limit!r}\n",
        tuple(steps),
    )
