"""A dialog that says how far something is that one has to wait for, and can cancel it."""

from types import TracebackType
from typing import Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

PATIENCE_MS = 100
"""What takes longer shows its progress."""

_STEPS = 100


class ProgressDialog:
    """Called with the share that is done, it shows that; False once somebody cancelled. To be used ``with``."""

    def __init__(self, words: str, parent: QWidget) -> None:
        self._words, self._parent = words, parent
        self._dialog: QProgressDialog | None = None

    def __enter__(self) -> Self:
        """Nothing is shown before it takes long."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The dialog goes."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()

    def __call__(self, done: float) -> bool:
        """Show the share; the window answers meanwhile, though to nothing but to Cancel."""
        if self._dialog is None:
            self._dialog = QProgressDialog(self._words, "Cancel", 0, _STEPS, self._parent)
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumDuration(PATIENCE_MS)
        self._dialog.setValue(min(_STEPS - 1, round(_STEPS * done)))
        return not self._dialog.wasCanceled()
