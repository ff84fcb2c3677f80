"""How long a change takes until it is seen."""

from time import perf_counter

from PySide6.QtCore import QObject, Signal

from posenc_gui.figures.panel import Panel


class FrameTime(QObject):
    """Measures from a change to the moment when every visible panel has painted it; ``measured`` carries ms."""

    measured = Signal(float)

    def __init__(self, panels: list[Panel], parent: QObject) -> None:
        super().__init__(parent)
        self._panels = panels
        self._waiting: set[Panel] = set()
        self._started = 0.0
        for panel in panels:
            panel.painted.connect(self._painted)

    def start(self) -> None:
        """A change has come; a change that is still waiting to be painted began the frame."""
        if not self._waiting:
            self._started = perf_counter()
        self._waiting = {panel for panel in self._panels if panel.isVisible()}

    def _painted(self, panel: Panel) -> None:
        if panel in self._waiting:
            self._waiting.discard(panel)
            if not self._waiting:
                self.measured.emit(1000 * (perf_counter() - self._started))
