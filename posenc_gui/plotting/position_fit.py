"""The positions that a figure shows: those of the sentence or all of them, until the person zooms."""

from posenc_gui.model import PositionAxis
from posenc_gui.plotting.plot_area import Range, same_range

SENTENCE, ALL = "sentence", "all"

_FEWEST = 12


class PositionFit:
    """Keeps a window of positions on the sentence, or on all positions, until the user moves it.

    ``wanted`` is ``sentence`` or ``all``.
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
        """What the window shows: ``sentence``, ``all``, or empty once the person has zoomed."""
        names = (self.wanted, SENTENCE, ALL)
        return next((name for name in names if same_range(window, fitting(axis, name))), "")


def fitting(axis: PositionAxis, name: str) -> Range:
    """All positions, or the sentence's: twice as many as it has tokens, and at least twelve.

    Distances lie on both sides of 0, where the axis has both.
    """
    shown = axis.shown
    if name == SENTENCE:
        reach = max(2 * axis.n_tokens, _FEWEST)
        both = shown.start < 0 < shown.stop - 1
        last = reach // 2 if both else reach
        shown = range(max(shown.start, -last), min(shown.stop, last + 1))
    return (shown.start - 0.5, shown.stop - 0.5)
