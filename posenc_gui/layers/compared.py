"""Two encodings of a document whose tables are compared: what figures say of them, and their pictures as one."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core import Document, Embedding, Encoding
from posenc_core.encodings import n_whole_pairs, pair_angles
from posenc_core.long_context import TableDifference
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.progressive import Arrays, Flags, PartialPictures, PartialWork
from posenc_core.session import LETTERS
from posenc_gui.figures import PictureRenderer, Rendered, RenderRequest
from posenc_gui.layers.grid import Grid
from posenc_gui.look import counted, significant
from posenc_gui.model import Cursor, PositionAxis, column_noun, position_words
from posenc_gui.plotting import ColorScale


class Compared(Struct, frozen=True):
    """Two encodings of a document, the index of the second, and whether the angles of their pairs are compared."""

    one: Encoding
    other: Encoding
    index: int
    angles: bool

    @classmethod
    def of(cls, document: Document) -> "Compared":
        """A and the chosen encoding, or B where A is chosen; the document has two or more."""
        index = document.current or 1
        one, other = (document.encodings[each].encoding for each in (0, index))
        has_angles = bool(n_whole_pairs(one) and n_whole_pairs(other))
        wants_angles = document.view.angles and document.view.compared_panel == "heatmap"
        return cls(one, other, index, wants_angles and has_angles)

    @property
    def difference(self) -> TableDifference:
        """The first table minus the second."""
        return TableDifference(self.one, self.other, ("A", self.letter))

    @property
    def tables(self) -> tuple[Encoding, Encoding, Encoding]:
        """What the three pictures show, but for angles."""
        return self.one, self.other, self.difference

    @property
    def letter(self) -> str:
        """The letter of the second."""
        return LETTERS[self.index]

    @property
    def names(self) -> tuple[str, str, str]:
        """What the pictures are called."""
        return f"A {self.one.title}", f"{self.letter} {self.other.title}", f"A − {self.letter}"

    @property
    def noun(self) -> str:
        """What is counted across: columns, heads or pairs."""
        return "pair" if self.angles else column_noun(self.one)

    @property
    def widths(self) -> tuple[int, int]:
        """The number of columns, or of pairs, of either."""
        if self.angles:
            return n_whole_pairs(self.one), n_whole_pairs(self.other)
        return self.one.n_columns, self.other.n_columns

    def shown_in(self, document: Document) -> Document:
        """The document with the difference in place of its encodings: the tables alone, all columns in one scale."""
        view = document.view.edited("per_row", False)
        return replace(document, encoding=self.difference, encodings=(), current=0, embedding=Embedding(), view=view)

    def numbers(self, positions: IntArray, places: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The numbers of the three pictures, ``(n_positions, n_places)`` each; angles in rad, in (-pi, pi]."""
        find = pair_angles if self.angles else _values
        one, other = (find(each, positions, places) for each in (self.one, self.other))
        return one, other, wrapped(one - other) if self.angles else one - other

    def numbers_at(self, position: int, place: int | None) -> tuple[float, ...] | None:
        """The three numbers of a column, or a pair, at a position; None unless both tables have one."""
        if place is None or not 0 <= place < min(self.widths):
            return None
        if not all(each.has_value(position) for each in (self.one, self.other)):
            return None
        return tuple(float(each[0, 0]) for each in self.numbers(np.array([position]), np.array([place])))

    def words_at(self, axis: PositionAxis, cursor: Cursor | None, place: int | None) -> str:
        """The three numbers under the cursor in words; empty without them."""
        numbers = None if cursor is None else self.numbers_at(cursor.position, place)
        if cursor is None or numbers is None:
            return ""
        unit = " rad" if self.angles else ""
        one, other, difference = (f"{significant(each, 4)}{unit}" for each in numbers)
        at = f"{position_words(axis, cursor.position)}, {self.noun} {place}"
        return f"{at}: A {one}, {self.letter} {other}, A − {self.letter} {difference}"

    @property
    def widths_words(self) -> str:
        """Which columns are compared where one table has more; empty for equal widths."""
        one, other = self.widths
        if one == other:
            return ""
        noun = self.noun
        return f"A has {counted(one)} {noun}s, {self.letter} {counted(other)}: the first {counted(min(one, other))}"

    def scale(self, document: Document, is_dark: bool) -> ColorScale:
        """The one scale of all three pictures."""
        if self.angles:
            return ColorScale("cyclic", -math.pi, math.pi)
        shown, difference = PositionAxis.of(document).shown, self.difference
        ends = difference.range_over(shown.start, shown.stop)
        return ColorScale.suited(document.view.color_map, *ends, is_dark, difference.sampler.value_step)


def angles_words(document: Document) -> str:
    """Says that sines and cosines are compared where the document asks for angles, and the tables have them."""
    compared = Compared.of(document)
    has_angles = n_whole_pairs(compared.one) and n_whole_pairs(compared.other)
    return "sines and cosines, not angles" if document.view.angles and has_angles else ""


def wrapped(angles: FloatArray) -> FloatArray:
    """The angles in rad without whole turns, in (-pi, pi]."""
    return math.pi - np.mod(math.pi - angles, 2 * math.pi)


def _values(encoding: Encoding, positions: IntArray, columns: IntArray) -> FloatArray:
    return np.asarray(encoding.values(positions, columns), np.float64)


class AngleDifference(Struct, frozen=True):
    """The angles of a grid's pairs minus those of another encoding's."""

    grid: Grid
    subtracted: Encoding

    @property
    def work(self) -> int:
        """0: angles come from formulas."""
        return 0

    def compute(self) -> npt.NDArray[Any]:
        """The differences, in (-pi, pi]; of mean directions, as complex numbers, the quotient."""
        one, other = self.grid.compute(), self.grid.of(self.subtracted).compute()
        return one * np.conj(other) if np.iscomplexobj(one) else wrapped(np.asarray(one, np.float64) - other)

    def begin(self) -> PartialWork:
        """The pictures of formulas have no parts."""
        return self.grid.begin()

    def assemble(self, arrays: Arrays, known: Flags) -> npt.NDArray[Any]:
        """The picture."""
        return self.compute()


class JointRequest(Struct, frozen=True):
    """Several pictures that are shown side by side, computed as one; None where there is nothing to draw."""

    requests: tuple[RenderRequest | None, ...]

    @property
    def work(self) -> int:
        """The number of entries that all pictures read one by one."""
        return sum(request.work for request in self.requests if request is not None)

    def compute(self) -> tuple[Any, ...]:
        """The pictures."""
        return tuple(None if request is None else request.compute() for request in self.requests)

    def begin(self) -> PartialPictures:
        """The pictures that take long, to be computed part by part."""
        return PartialPictures([request.begin() for request in self._slow])

    def assemble(self, arrays: Arrays, known: Flags) -> tuple[Any, ...]:
        """The pictures as far as the parts are known."""
        found, first, at = list[Any](), 0, 0
        for request in self.requests:
            if request is None or not request.work:
                found.append(None if request is None else request.compute())
                continue
            n_parts, n_arrays = _sizes(request)
            found.append(request.assemble(arrays[at : at + n_arrays], known[first : first + n_parts]))
            first, at = first + n_parts, at + n_arrays
        return tuple(found)

    def split(self, rendered: Rendered) -> tuple[Rendered, ...]:
        """Each picture by itself, with its own flags."""
        found, first = [], 0
        for request, picture in zip(self.requests, rendered.picture, strict=True):
            if request is None or not request.work or rendered.known is None or rendered.refused is None:
                found.append(Rendered(picture))
                continue
            some = slice(first, first := first + _sizes(request)[0])
            known, refused = rendered.known[some], rendered.refused[some]
            found.append(Rendered(picture) if known.all() else Rendered(picture, known, refused))
        return tuple(found)

    @property
    def _slow(self) -> tuple[RenderRequest, ...]:
        return tuple(request for request in self.requests if request is not None and request.work)


class JointRenderer(PictureRenderer):
    """Gives a figure the pictures of a ``JointRequest`` one by one."""

    _split: tuple[Rendered, tuple[Rendered, ...]] | None = None

    def render_one(self, request: JointRequest, which: int) -> Rendered:
        """One of the pictures, or its known parts; the same object until there is more to show."""
        rendered = self.render(request)
        if self._split is None or self._split[0] is not rendered:
            self._split = (rendered, request.split(rendered))
        return self._split[1][which]


@lru_cache(maxsize=16)
def _sizes(request: RenderRequest) -> tuple[int, int]:
    """The number of parts and of arrays of a picture that takes long."""
    partial = request.begin()
    return len(partial.known), len(partial.arrays)
