"""A part of a dock that folds to its title."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolButton, QWidget

from posenc_gui.look import HIT_PX, column_of, dress, plain_tip

Content = TypeVar("Content", bound=QWidget)


class Fold(QWidget, Generic[Content]):
    """A title with an arrow, and below it, while unfolded, the content that ``make`` makes at the first unfolding.

    ``content`` is None until then.
    """

    def __init__(self, title: str, make: Callable[[], Content], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self.content: Content | None = None
        self._title = QToolButton(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._title.setText(title)
        self._title.setAccessibleName(title)
        self._title.setCheckable(True)
        self._title.setMinimumHeight(HIT_PX)
        self._title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        dress(self._title, semibold=True)
        self._title.toggled.connect(self._show_content)
        self._column = column_of(self, self._title)
        self._show_content(False)

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the content."""
        focused = QApplication.focusWidget()
        return focused is not None and self.content is not None and self.content.isAncestorOf(focused)

    def unfold(self) -> None:
        """Show the content."""
        self._set_shown(True)

    def fold(self) -> None:
        """Hide the content."""
        self._set_shown(False)

    def _set_shown(self, shown: bool) -> None:
        with QSignalBlocker(self._title):
            self._title.setChecked(shown)
        self._show_content(shown)

    def _show_content(self, shown: bool) -> None:
        if shown and self.content is None:
            self.content = self._make()
            self._column.addWidget(self.content)
        if self.content is not None:
            self.content.setVisible(shown)
        self._title.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self._title.setToolTip(plain_tip(f"{'Fold' if shown else 'Unfold'} {self._title.text()}"))
