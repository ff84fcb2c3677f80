"""A plot area with horizontal positions, and the window of positions that figures keep until the user zooms."""

import math

import numpy as np
from PySide6.QtCore import QPointF
from typing_extensions import override

from posenc_gui.model import PositionAxis
from posenc_gui.plotting.plot_area import Number, PlotArea, Range, moved_to_hold, same_range
from posenc_gui.plotting.scale import place_of_position, position_at

OPENING, SENTENCE, ALL = "opening", "sentence", "all"
"""Ranges that a window of positions is fitted to; ``opening`` is the first one of a panel in the window."""

_FEWEST = {OPENING: 64, SENTENCE: 12}
"""Positions: in 64 tokens the pairs 0 and 1 of a small table turn at least once, and words stay apart."""


class PositionArea(PlotArea):
    """A plot area whose horizontal ranges are positions, independently of their places.

    On the ``logarithmic`` axis position p has its place at sign(p) log10(1 + |p|): 0 is visible, and distances on
    both sides of it are symmetric.
    """

    def __init__(self, down: bool = False) -> None:
        self.logarithmic = False
        super().__init__(down)

    def show_logarithmic(self, logarithmic: bool) -> None:
        """Choose the axis; the positions in view stay."""
        if logarithmic == self.logarithmic:
            return
        window, extent = self.across, self._extent
        self.logarithmic = logarithmic
        if extent is not None:
            self._extent = None
            self.set_extent(*extent)
        self.show_window(window, self.upright)

    def held_across(self, position: int) -> Range:
        """The window of positions, moved as little as needed to show this one."""
        if not self.logarithmic:
            return moved_to_hold(self.across, position)
        low, high = self._places(self.across)
        first, last = self._places((position - 0.5, position + 0.5))
        by = min(0.0, first - low) or max(0.0, last - high)
        return (position_at(low + by), position_at(high + by))

    def pixels_at(self, position: float) -> float:
        """The pixels from a position to the next one."""
        low, high = self._places(self.across)
        pixels = float(self.rect().width()) / (high - low)
        return pixels / ((1 + abs(position)) * math.log(10)) if self.logarithmic else pixels

    @property
    @override
    def across(self) -> Range:
        low, high = super().across
        return (position_at(low), position_at(high)) if self.logarithmic else (low, high)

    @override
    def _part_across(self, x: Number) -> Number:
        if not self.logarithmic:
            return super()._part_across(x)
        low, high = super().across
        place: Number = np.sign(x) * np.log10(1 + np.abs(x))
        return (place - low) / (high - low)

    @override
    def _across_at(self, part: float) -> float:
        if not self.logarithmic:
            return super()._across_at(part)
        low, high = super().across
        return position_at(low + (high - low) * part)

    @override
    def zoom(self, factors: tuple[float, float], centre: QPointF) -> None:
        if not self.logarithmic:
            super().zoom(factors, centre)
            return
        low, high = super().across
        part = self._turned_part(centre)
        fixed = low + (high - low) * part
        first, last = (position_at(fixed + (end - fixed) * factors[0]) for end in (low, high))
        if last - first < self._least[0]:
            first = position_at(fixed) - part * self._least[0]
            last = first + self._least[0]
        self.show_window((first, last), self.upright)

    @override
    def _places(self, positions: Range) -> Range:
        return (place_of_position(positions[0]), place_of_position(positions[1])) if self.logarithmic else positions

    @override
    def _least_place(self, positions: Range, least: float) -> float:
        if not self.logarithmic:
            return least
        farthest = max(abs(end) for end in positions)
        return place_of_position(farthest) - place_of_position(farthest - least)


class PositionFit:
    """Keeps a window of positions on the opening, the sentence or all positions, until the user moves it.

    ``wanted`` is ``opening``, ``sentence`` or ``all``.
    """

    def __init__(self) -> None:
        self.wanted = ALL
        self._fitted: Range | None = None

    def window(self, axis: PositionAxis) -> Range:
        """The wanted window; it counts as fitted from now on."""
        self._fitted = fitting(axis, self.wanted)
        return self._fitted

    def follows(self, window: Range) -> bool:
        """Whether the window is still the fitted one."""
        return self._fitted is None or same_range(window, self._fitted)

    def chosen(self, axis: PositionAxis, window: Range) -> str:
        """Content of the window: ``sentence``, ``all``, another ``opening``, or empty after zooming."""
        names = (ALL, SENTENCE, OPENING) if self.wanted == OPENING else (self.wanted, SENTENCE, ALL)
        return next((name for name in names if same_range(window, fitting(axis, name))), "")


def fitting(axis: PositionAxis, name: str) -> Range:
    """All positions, or twice as many as the sentence has tokens: at least twelve, for the opening at least 64.

    Distances are on both sides of 0, if the axis has both.
    """
    shown = axis.shown
    if name != ALL:
        reach = max(2 * axis.n_tokens, _FEWEST[name])
        both = shown.start < 0 < shown.stop - 1
        last = reach // 2 if both else reach
        shown = range(max(shown.start, -last), min(shown.stop, last + 1))
    return (shown.start - 0.5, shown.stop - 0.5)
