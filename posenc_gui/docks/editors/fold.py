"""A part of a dock that folds to its title."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from posenc_gui.look import HIT_PX, column_of, dress, plain_tip


class Fold(QWidget):
    """A title with an arrow, and the content below it while it is unfolded; folded at first."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self._title = QToolButton()
        self._title.setText(title)
        self._title.setAccessibleName(title)
        self._title.setCheckable(True)
        self._title.setAutoRaise(True)
        self._title.setMinimumHeight(HIT_PX)
        self._title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        dress(self._title, semibold=True)
        self._title.toggled.connect(self._show_content)
        column_of(self, self._title, content)
        self._show_content(False)

    @property
    def is_unfolded(self) -> bool:
        """Whether the content is shown."""
        return self._title.isChecked()

    def unfold(self) -> None:
        """Show the content."""
        with QSignalBlocker(self._title):
            self._title.setChecked(True)
        self._show_content(True)

    def _show_content(self, shown: bool) -> None:
        self._content.setVisible(shown)
        self._title.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self._title.setToolTip(plain_tip(f"{'Fold' if shown else 'Unfold'} {self._title.text()}"))
