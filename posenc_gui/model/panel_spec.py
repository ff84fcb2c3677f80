"""Description of a panel: its texts, options and needs, without its picture. No Qt is imported here."""

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import msgspec
from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_core.encodings import Effect
from posenc_core.fields import Field
from posenc_core.session import LETTERS, variant, with_variant
from posenc_gui.model.course import Course

if TYPE_CHECKING:  # imported on first use
    from posenc_core.analysis import AxisRows


class Need(Struct, frozen=True):
    """Need of a panel: a sentence, the words of a button, and the family that the button chooses.

    ``index`` is the encoding of the document that the family is for, None for the chosen one. With an ``encoding`` the
    button shows that in its place; without a family it adds a variant of that, to compare with. ``edit``
    is a field's name and its value that the button sets, in place of a family. ``suggested`` is the document with what
    the button would add, which is drawn until then.
    """

    sentence: str
    words: str
    family: str = ""
    index: int | None = None
    encoding: Encoding | None = None
    edit: tuple[str, Any] | None = None
    suggested: Document | None = None


def second_need(document: Document) -> Need:
    """The need of a second encoding, with a button that adds a variant of the chosen one."""
    encodings = with_variant(document.encodings, document.current)
    suggested = document.with_encodings(encodings, document.current)
    return Need("Add a second encoding to compare.", f"Add B, {encodings[-1].source}", suggested=suggested)


def difference_need(document: Document) -> Need | None:
    """The need of a second encoding that differs from A, with a button that shows one; None if it does."""
    index = document.current or 1
    first, other = (document.encodings[each].encoding for each in (0, index))
    if first != other:
        return None
    shown, letter = variant(first), LETTERS[index]
    return Need(
        f"A and {letter} are the same.", f"Show {shown.source} as {letter}", index=index, encoding=shown.encoding
    )


def every_encoding(document: Document) -> range:
    """The indices of all encodings of a document."""
    return range(len(document.encodings))


def compares_rows(encoding: Encoding) -> bool:
    """Whether the rows of an encoding are vectors, which can be compared and mapped to each other."""
    return encoding.effect in (Effect.ADDS, Effect.ROTATES)


class PanelTexts(TypedDict):
    """The texts of a panel, as ``texts.json`` in its package has them."""

    title: str
    hint: str
    explanation: str
    handling: NotRequired[str]
    more: NotRequired[str]


class PackageTexts(PanelTexts):
    """A panel's package and its texts."""

    package: str


def texts_beside(package: str) -> PackageTexts:
    """The package and the texts in ``texts.json`` beside its modules."""
    path = Path(import_module(package).__path__[0], "texts.json")
    return {"package": package, **msgspec.json.decode(path.read_bytes(), type=PanelTexts)}


class PanelSpec(Struct, frozen=True, kw_only=True):
    """A panel's texts, sizes in pixels, options and needs.

    ``package`` is the package of the panel, whose modules are its parts: ``picture``, ``script``, and ``numbers`` or
    the ``plots`` whose lines are its numbers, are found by these names. ``arrows`` are the keys that move the cursor to
    another position and to another column. ``options`` are values that this panel alone reads, ``controls`` the names
    of the fields that it has editors for, and ``find_used`` those that have an effect on a document's picture.
    ``suits`` says whether the panel is shown for an encoding unless the user chooses otherwise. ``needs`` is what an
    encoding lacks that it does not suit; ``find_missing`` replaces that where a panel needs more of a document.
    ``course`` is the value that a timeline moves, None for the tokens. ``find_stand_ins`` are the numbers by field that
    are taken for options of None, ``slider_ends`` the first and the last number of each slider that has others than
    its field. ``drawn`` are the indices of the encodings that the picture draws, by default the chosen one, ``rows``
    the patches that are its rows, None for all positions.
    """

    package: str
    title: str
    hint: str
    explanation: str
    handling: str = ""
    more: str = ""
    arrows: tuple[str, str] = ("", "")
    least_size: tuple[int, int] = (260, 180)
    export_size: tuple[int, int] = (900, 420)
    options: tuple[Field, ...] = ()
    controls: tuple[str, ...] = ()
    find_used: Callable[[Document], tuple[str, ...]] | None = None
    suits: Callable[[Encoding], bool] = lambda encoding: True
    needs: Need | None = None
    find_missing: Callable[[Document], Need | None] | None = None
    course: Course | None = None
    find_stand_ins: Callable[[Document], Mapping[str, int]] | None = None
    slider_ends: Callable[[Document], Mapping[str, tuple[int, int]]] = lambda document: {}
    drawn: Callable[[Document], Collection[int]] = lambda document: (document.current,)
    rows: "Callable[[Document], AxisRows | None]" = lambda document: None

    @property
    def name(self) -> str:
        """The name in files, on the command line and in sessions: the last part of the package's."""
        return self.package.rpartition(".")[2]

    def missing(self, document: Document) -> Need | None:
        """Unmet need of the panel; None if the panel can be drawn."""
        if self.find_missing is not None:
            return self.find_missing(document)
        return None if self.suits(document.encoding) else self.needs

    def suggested(self, document: Document) -> Document | None:
        """The document with a suggestion that meets its need; None without a need or a suggestion."""
        need = self.missing(document)
        suggested = None if need is None else need.suggested
        return None if suggested is None or self.missing(suggested) is not None else suggested

    def used_controls(self, document: Document) -> tuple[str, ...]:
        """The controls that have an effect on the document's picture."""
        return self.controls if self.find_used is None else self.find_used(document)

    def stand_ins(self, document: Document) -> dict[str, int]:
        """By field, the number used where the document has None."""
        lengths = {"trained_length": document.lengths.trained, "target_length": document.lengths.target}
        return lengths if self.find_stand_ins is None else {**lengths, **self.find_stand_ins(document)}

    def part(self, name: str) -> ModuleType | None:
        """The module of a part, loaded now; None if the panel has no such part."""
        path = f"{self.package}.{name}"
        return None if find_spec(path) is None else import_module(path)

    @property
    def has_numbers(self) -> bool:
        """Whether the panel has its own numbers, other than the tokens' vectors."""
        return any(find_spec(f"{self.package}.{part}") is not None for part in ("numbers", "plots"))
