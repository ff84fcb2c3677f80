"""A statement on a model, with the keys of its files in the tool tip, which can be copied."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from posenc_gui.look import GAP, Note, column_of, counted, plain_tip
from posenc_gui.model.card import Claim

_MOST = 64
"""Statements of one list; further ones are counted in the last line."""


class ClaimNote(Note):
    """A label with a claim: its tool tip has the keys with their values, its menu copies both."""

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self._claim: Claim | None = None
        copy = QAction("&Copy with its keys", self)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_claim(self, claim: Claim, sentence: str = "") -> None:
        """Show the claim, in other words if given."""
        self._claim = claim
        self.show_sentence(sentence or claim.text)
        self.setToolTip(plain_tip(claim.tip))
        self.setAccessibleDescription(claim.tip)

    def _copy(self) -> None:
        if self._claim is not None:
            QGuiApplication.clipboard().setText(self._claim.copied)


class ClaimList(QWidget):
    """A column of claims with a bullet before each; hidden without claims."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self._notes: list[ClaimNote] = []
        self._more = Note("muted")
        self._column: QVBoxLayout = column_of(self, self._more, spacing=GAP // 2)

    def show_claims(self, claims: list[Claim]) -> None:
        """Show these claims instead of those before."""
        shown = claims[:_MOST]
        while len(self._notes) < len(shown):
            self._notes.append(ClaimNote(self._role))
            self._column.insertWidget(len(self._notes) - 1, self._notes[-1])
        for note, claim in zip(self._notes, shown, strict=False):
            note.show_claim(claim, f"• {claim.text}")
        for note in self._notes[len(shown) :]:
            note.show_sentence("")
        left_out = len(claims) - len(shown)
        self._more.show_sentence(f"{counted(left_out)} more notes are not listed." if left_out else "")
        self.setVisible(bool(claims))
