"""The time from a change to its picture on the screen."""

from time import perf_counter

from PySide6.QtCore import QObject, Signal

from posenc_gui.figures.panel import Panel


class FrameTime(QObject):
    """Measures the time from a change until every visible panel has painted it; ``measured`` carries milliseconds."""

    measured = Signal(float)

    def __init__(self, panels: list[Panel], parent: QObject) -> None:
        super().__init__(parent)
        self._panels = panels
        self._waiting: set[Panel] = set()
        self._started = 0.0
        for panel in panels:
            panel.painted.connect(self._painted)

    def start(self) -> None:
        """Start the measurement; a change that is not painted yet keeps its earlier start."""
        if not self._waiting:
            self._started = perf_counter()
        self._waiting = {panel for panel in self._panels if panel.isVisible()}

    def _painted(self, panel: Panel) -> None:
        if panel in self._waiting:
            self._waiting.discard(panel)
            if not self._waiting:
                self.measured.emit(1000 * (perf_counter() - self._started))
