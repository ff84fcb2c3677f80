"""Letters that lead to a form's editors with Alt: one place for each letter."""

from collections.abc import Iterable, Sequence

from PySide6.QtGui import QKeySequence

from posenc_core import Embedding


def letter_of(label: str) -> str:
    """The letter that the label underlines, lower case; empty where there is none."""
    return QKeySequence.mnemonic(label).toString().rpartition("+")[2].lower()


def with_own_letters(labels: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """The labels, each underlining a letter that no other one has and that is not taken, as many as can.

    A label keeps its letter where that is free; where its letters are all gone, another label may take another one
    to make room (the shortest augmenting paths of bipartite matching).
    """
    owner: dict[str, int] = dict.fromkeys(taken, -1)

    def find(index: int, tried: set[str]) -> bool:
        letters = [letter for letter in _letters(labels[index]) if owner.get(letter) != -1]
        for letter in sorted(letters, key=owner.__contains__):  # the free ones first
            if letter in tried:
                continue
            tried.add(letter)
            if letter not in owner or find(owner[letter], tried):
                owner[letter] = index
                return True
        return False

    for index in range(len(labels)):
        find(index, set())
    found = {index: letter for letter, index in owner.items() if index >= 0}
    return [_underlined(label, found.get(index, "")) for index, label in enumerate(labels)]


def _letters(label: str) -> list[str]:
    """The letters of a label, its own first; of others none that the line below would make another: a q looks a g."""
    own = letter_of(label)
    letters = [letter for letter in label.lower() if letter in "abcdefhiklmnorstuvwxz"]
    return list(dict.fromkeys([own, *letters] if own else letters))


def _underlined(label: str, letter: str) -> str:
    """The label with that letter underlined where it stands first; as it is where it does already."""
    if letter and letter_of(label) == letter:
        return label
    plain = label.replace("&", "")
    place = plain.lower().find(letter)
    return f"{plain[:place]}&{plain[place:]}" if letter else plain


MENU_LETTERS = frozenset("fevgh")
"""Letters of the window's menus, which come before those of a label."""

_TOKENS_LETTER = "t"
EMBEDDING_TAKEN = MENU_LETTERS | {_TOKENS_LETTER}
ENCODING_TAKEN = EMBEDDING_TAKEN | set(
    map(letter_of, with_own_letters([field.label for field in Embedding.FIELDS], EMBEDDING_TAKEN))
)
"""What a family's form leaves to the menus, to the kind of tokens, and to the embedding's form."""
