"""LaTeX formulas as SVG pictures that Qt paints at any size."""

import math
import re
import warnings
import xml.etree.ElementTree as ET
from functools import cache, lru_cache
from itertools import pairwise
from threading import Thread
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor
from PySide6.QtSvg import QSvgRenderer

from posenc_gui.look.text_layout import Formula

# Antialiased edges extend less than a pixel beyond the outline.
MARGIN = 1.0

# The parser's errors have no message.
_REASONS = {
    "NoAvailableTokensError": "an argument of a command is missing",
    "AssertionError": "an argument of a command is missing",
    "ExtraLeftOrMissingRightError": r"\left and \right do not come in pairs",
    "MissingSuperScriptOrSubscriptError": "a ^ or _ has nothing before or after it",
    "DoubleSuperscriptsError": "two superscripts follow each other",
    "DoubleSubscriptsError": "two subscripts follow each other",
    "MissingEndError": r"a \begin has no \end",
    "RecursionError": "it is nested too deeply",
}

_SIGNS = {"+", "-", "−", "±", "∓"}
_CLOSING = {")", "]", "}", "|", "‖", "⟩", "⌋", "⌉", "!", "′"}


_TALLEST = 60
"""Height in font sizes above which a formula is refused; no derivation is as high."""

_LONGEST = 400
"""Characters of LaTeX above which a formula is refused: the typesetter needs 50 ms for as many."""

_MOST_NODES = 2000
"""Nodes made above which a formula is refused: ten times as many as in any derivation, about half a second's work."""

_USUAL = r"\sin\left(\frac{1}{10^{2 \cdot i/d}}\right) = -0.5"
"""A formula that is set as the typesetter loads, which reads the tables of its font: some 0.2 s."""


@lru_cache(maxsize=256)
def typeset(latex: str, font_px: float, color: str) -> Formula:
    """The formula at a font size of ``font_px`` logical pixels, in an opaque ``color`` of ``QColor``.

    The first call loads the typesetter (see ``load``), later calls need 2 to 20 ms; results are cached. ValueError with
    one sentence if the formula, the size or the colour cannot be used.
    """
    if not (math.isfinite(font_px) and font_px > 0):
        raise ValueError(f"A formula needs a font size above 0 pixels, not {font_px:g}.")
    if not QColor.isValidColorName(color) or QColor(color).alpha() < 255:
        raise ValueError(f"A formula cannot be painted in “{color}”, which is not an opaque colour.")
    if not latex.strip():
        raise ValueError("There is no formula to typeset.")
    if len(latex) > _LONGEST:
        raise _unusable(latex, f"it is longer than {_LONGEST} characters")
    group = _draw(latex, font_px, QColor(color).name())
    # ziamath's own box ignores strokes and includes the space before operators, so that formulas in a column would
    # not align; Qt computes the box of the painted picture.
    ink = QSvgRenderer(_svg(group, QRectF(0, 0, 1, 1))).boundsOnElement(group.attrib["id"])
    if ink.isEmpty():
        raise _unusable(latex, "it draws nothing")
    if ink.height() > _TALLEST * font_px:  # an empty row has a height of -20000 in ziamath
        raise _unusable(latex, "a part of it is empty")
    ascent = math.ceil(-ink.top() + MARGIN)
    height = ascent + math.ceil(ink.bottom() + MARGIN)
    width = math.ceil(ink.width() + 2 * MARGIN)
    return Formula(_svg(group, QRectF(ink.left() - MARGIN, -ascent, width, height)), width, height, ascent)


@cache
def load() -> Any:
    """The typesetter, ziamath, which needs about 0.5 s to load with its font and is loaded with the first formula."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from importlib.resources.path
        import ziamath
    # The default draws glyphs as <symbol> and <use>, which QtSvg does not paint.
    ziamath.config.svg2 = False
    ziamath.Math(ET.fromstring(ziamath.tex.tex2mml(_USUAL))).drawon(ET.Element("svg"))
    return ziamath


@cache
def _loading() -> Thread:
    thread = Thread(target=load, name="load the typesetter", daemon=True)
    thread.start()
    return thread


def ready() -> bool:
    """Whether the typesetter is loaded; otherwise it is being loaded in a thread."""
    return not _loading().is_alive()


def _draw(latex: str, font_px: float, color: str) -> ET.Element:
    """The formula as one SVG group whose origin is the left end of the baseline."""
    if not _braces_match(latex):
        raise _unusable(latex, "its braces do not match")
    ziamath = load()
    # Incorrect LaTeX raises errors of any kind: AssertionError, StopIteration, RecursionError, ...
    try:
        mathml = _without_outer_row(ET.fromstring(ziamath.tex.tex2mml(latex)))
        if _nodes(mathml) > _MOST_NODES:
            raise RecursionError  # as deeper nesting does by itself, though after minutes
        mathml.set("mathcolor", color)
        _space_operators(mathml)
        formula = ziamath.Math(mathml, size=font_px)
        group: ET.Element = formula.drawon(ET.Element("svg"))
    except Exception as error:
        reason = _REASONS.get(type(error).__name__, "it is not correct LaTeX")
        raise _unusable(latex, reason) from error
    _check_glyphs(latex, formula)
    if r"\sqrt" not in latex:  # the line of a root must meet its sign
        _sharpen_lines(group)
    group.set("id", "ink")
    return group


def _without_outer_row(mathml: ET.Element) -> ET.Element:
    """The formula without the row around all of it: ziamath makes the parts of a row twice, of a row in a row 4 times.

    A row of several lines stays, since ziamath breaks lines only in a row inside the formula.
    """
    row = mathml[0] if len(mathml) == 1 else mathml
    if row.tag.endswith("mrow") and not row.attrib and not any(part.get("linebreak") for part in row):
        mathml[:] = list(row)
    return mathml


def _nodes(mathml: ET.Element) -> int:
    """The number of nodes that ziamath makes of an element: twice its parts' for each row around them."""
    times = 2 if mathml.tag.endswith(("math", "mrow")) else 1
    return 1 + times * sum(map(_nodes, mathml))


def _sharpen_lines(group: ET.Element) -> None:
    """Move fraction bars to whole pixels, to avoid antialiasing."""
    for line in group.iter("rect"):
        if "stroke" not in line.attrib:
            line.set("y", str(round(float(line.attrib["y"]))))
            line.set("height", str(max(1, round(float(line.attrib["height"])))))


def _space_operators(mathml: ET.Element) -> None:
    """Correct the space around operators: ziamath sets "2mod3", and a wide minus in "= −1"."""
    for row in mathml.iter():
        for before, operator in pairwise(row):
            if operator.text in _SIGNS and before.tag.endswith("mo") and before.text not in _CLOSING:
                operator.set("form", "prefix")
            elif operator.text == "mod" and operator.tag.endswith("mo"):
                operator.attrib.update(lspace="0.28em", rspace="0.28em")


def _check_glyphs(latex: str, formula: Any) -> None:
    """ValueError if ziamath would paint the name of a command, a box for a missing glyph, or nothing."""
    for element in formula.mathml.iter():
        text = element.text or ""
        if re.match(r"\\[A-Za-z]", text):
            raise _unusable(latex, f"{text} is not a known command")
        if lacking := [sign for sign in text if formula.font.glyphindex(sign) == 0]:
            raise _unusable(latex, f"the font for formulas has no “{lacking[0]}”")
        if element.tag == "mo" and len(element):
            raise _unusable(latex, r"\mathbin and its like are not known commands")


def _braces_match(latex: str) -> bool:
    """Whether braces match; ziamath paints an unmatched closing one."""
    depth = 0
    for brace in re.findall(r"[{}]", re.sub(r"\\.", "", latex)):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _svg(group: ET.Element, box: QRectF) -> bytes:
    """An SVG document that shows ``box`` of the group."""
    width, height = f"{box.width():.3f}", f"{box.height():.3f}"
    root = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"{box.left():.3f} {box.top():.3f} {width} {height}",
    )
    root.append(group)
    return ET.tostring(root)


def _unusable(latex: str, reason: str) -> ValueError:
    """The error for a formula that cannot be typeset."""
    shown = latex if len(latex) <= 60 else f"{latex[:60]}…"
    return ValueError(f"The formula “{shown}” cannot be typeset: {reason}.")
