"""The title bar of a dock: its name, aligned with the content below, and two flat buttons."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QStyle, QToolButton, QWidget

from posenc_gui.look.style import Style

_INSET = 12


class DockTitle(QWidget):
    """Shows a dock's title, floats and closes the dock, and moves it when dragged, as Qt's own title bar does."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._dock = dock
        self._name = QLabel(dock.windowTitle())
        pixmap = QStyle.StandardPixmap
        self._float = self._button(pixmap.SP_TitleBarNormalButton, f"Float {dock.windowTitle()}, or dock it again")
        self._close = self._button(
            pixmap.SP_TitleBarCloseButton, f"Close {dock.windowTitle()}; the View menu opens it again"
        )
        self._float.clicked.connect(self._toggle_floating)
        self._close.clicked.connect(dock.close)
        box = QHBoxLayout(self)
        box.setContentsMargins(_INSET, 10, 8, 2)
        box.setSpacing(2)
        box.addWidget(self._name, 1)
        box.addWidget(self._float)
        box.addWidget(self._close)

    def show_style(self, style: Style) -> None:
        """Use the colours and fonts of the style."""
        self.setPalette(style.palette())
        self._name.setFont(style.font(13, semibold=True))

    def _button(self, pixmap: QStyle.StandardPixmap, tip: str) -> QToolButton:
        button = QToolButton()
        button.setIcon(self.style().standardIcon(pixmap))
        button.setIconSize(QSize(10, 10))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())
