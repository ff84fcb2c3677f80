"""The tabs that choose a workspace."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar
from typing_extensions import override

from posenc_gui.look import TEXT_PX, plain_tip, present_style
from posenc_gui.panels import WORKSPACES
from posenc_gui.workspaces.workspaces import Workspaces

_UNDERLINE_PX = 2
_TAB_INSET, _TAB_HEIGHT = 36, 30


class WorkspaceTabs(QTabBar):
    """The tabs of the workspaces that have panels, the present one underlined."""

    def __init__(self, workspaces: Workspaces) -> None:
        super().__init__(drawBase=False, expanding=False)
        self._workspaces = workspaces
        self.setAccessibleName("workspaces")
        self.setAccessibleDescription("Each workspace shows its own set of panels.")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+1 to Ctrl+6 and the View menu choose as well
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._follow()
        workspaces.changed.connect(self._follow)
        self.tabBarClicked.connect(self._choose)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        style = present_style()
        painter = QPainter(self)
        for index in range(self.count()):
            place, chosen = self.tabRect(index), index == self.currentIndex()
            painter.setFont(style.font(TEXT_PX, semibold=chosen))
            painter.setPen(style.pen(style.ink if chosen else style.muted))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
            if chosen:
                width = self.fontMetrics().horizontalAdvance(self.tabText(index)) + 12
                line = QRect(0, 0, width, _UNDERLINE_PX)
                line.moveCenter(QPoint(place.center().x(), place.bottom()))
                painter.fillRect(line, QColor(style.accent))

    @override
    def tabSizeHint(self, index: int) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.tabText(index)) + _TAB_INSET, _TAB_HEIGHT)

    def _choose(self, index: int) -> None:
        if index >= 0:
            self._workspaces.choose(self.tabData(index))

    def _follow(self) -> None:
        """Offer the workspaces that have panels, and mark the present one."""
        offered = self._workspaces.offered
        if [self.tabData(index) for index in range(self.count())] != list(offered):
            while self.count():
                self.removeTab(0)
            for name in offered:
                index = self.addTab(WORKSPACES[name].title)
                self.setTabData(index, name)
                key = f"Ctrl+{list(WORKSPACES).index(name) + 1}"
                self.setTabToolTip(index, plain_tip(f"{WORKSPACES[name].question} ({key})"))
        if self._workspaces.current in offered:
            self.setCurrentIndex(offered.index(self._workspaces.current))
