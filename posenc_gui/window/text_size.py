"""The size of the window's text: the desktop's, times the user's factor."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontDatabase, QFontInfo

from posenc_gui.files import Settings

SIZES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""The sizes to choose from, as multiples of the desktop's size."""

_USUAL_PX = (12, 15)
"""The text of desktops as installed, from the 9 points of Windows to the 11 of GNOME: the own size suits all."""

_LARGEST, _SMALLEST = 2.5, 0.75


class TextSize(QObject):
    """The size of text as a multiple of the program's own; ``changed`` follows a choice of the user."""

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._factor = 1.0

    @property
    def scale(self) -> float:
        """The factor of all sizes of text."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        return min(max(desktop_scale(QFontInfo(font).pixelSize()) * self._chosen * self._factor, _SMALLEST), _LARGEST)

    def enlarge_by(self, factor: float) -> None:
        """Multiply the chosen size of the text by ``factor``, without remembering it; 1 for the chosen size."""
        self._factor = factor
        self.changed.emit()

    def enlarge(self) -> None:
        """Choose the next larger size."""
        self._choose(min((size for size in SIZES if size > self._chosen), default=SIZES[-1]))

    def reduce(self) -> None:
        """Choose the next smaller size."""
        self._choose(max((size for size in SIZES if size < self._chosen), default=SIZES[0]))

    def reset(self) -> None:
        """Choose the desktop's size."""
        self._choose(1.0)

    @property
    def _chosen(self) -> float:
        return self._settings.now.text_scale

    def _choose(self, size: float) -> None:
        if size != self._chosen:
            self._settings.change(text_scale=size)
            self.changed.emit()


def desktop_scale(px: int) -> float:
    """The factor for a desktop whose text has this size in pixels: 1 for the usual ones."""
    low, high = _USUAL_PX
    return 1.0 if px <= 0 else min(px / low, 1.0) * max(px / high, 1.0)
