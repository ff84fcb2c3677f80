"""Formulas as MathML. Those that differ in their numbers alone share a template."""

import html
import re
from functools import cache
from typing import Any

from msgspec import Struct

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MARK = re.compile(r"7(\d{3})7")
_MOST = 1000


class Formula(Struct, frozen=True):
    """A formula: MathML with the marks ``‹0›``, ``‹1›``, ... in place of the numbers that follow."""

    template: str
    numbers: tuple[str, ...]

    @property
    def mathml(self) -> str:
        """The formula with its numbers."""
        return re.sub(r"‹(\d+)›", lambda mark: self.numbers[int(mark[1])], self.template)


def formula_of(latex: str) -> Formula:
    """The formula in LaTeX as MathML; ValueError for LaTeX that cannot be read."""
    numbers = tuple(_NUMBER.findall(latex))
    if len(numbers) < _MOST:
        count = iter(range(_MOST))
        shape = _NUMBER.sub(lambda _: f"7{next(count):03}7", latex)
        template = _MARK.sub(lambda mark: f"‹{int(mark[1])}›", _mathml(shape))
        if _suits(template, len(numbers)):
            return Formula(template, numbers)
    return Formula(_mathml(latex), ())


@cache
def _suits(template: str, count: int) -> bool:
    """Whether each number has its place in the template: LaTeX may split a number, as in ``x^12``."""
    return sorted(map(int, re.findall(r"‹(\d+)›", template))) == list(range(count))


@cache
def _mathml(latex: str) -> str:
    from latex2mathml.converter import convert_to_element  # loads its table of symbols

    try:
        return _written(convert_to_element(latex))
    except Exception as error:  # incorrect LaTeX raises errors of any kind
        raise ValueError(f"this is not correct LaTeX: {latex[:60]}") from error


def _written(element: Any) -> str:
    """An element as text. The converter leaves entities in its texts, so that only they may be unescaped."""
    inner = html.escape(html.unescape(element.text or ""), quote=False) + "".join(map(_written, element))
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in element.attrib.items())
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"
