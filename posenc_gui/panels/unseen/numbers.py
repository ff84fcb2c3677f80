"""Content of the maps of unseen angles, as values: one map per encoding, and the rows in which it is painted."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from posenc_core import Document, Encoding
from posenc_core.long_context import NEVER, UnseenAngles, unseen_angles
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import ContextLengths
from posenc_core.tables import ProgressCallback
from posenc_gui.figures.lines import TurningEncoding, padded, shorter_names, turning_encodings
from posenc_gui.look import counted, significant
from posenc_gui.plotting import Scale


class UnseenMap(TurningEncoding, frozen=True, eq=False):
    """The map of an encoding: positions at which its pairs leave their trained arcs."""

    angles: UnseenAngles

    @property
    def n_pairs(self) -> int:
        """The number of pairs, which are the map's rows."""
        return len(self.angles.first)

    @property
    def factor_words(self) -> str:
        """The attention factor and its square on scores, "" if it is 1."""
        rotation = self.encoding.rotation
        factor = 1.0 if rotation is None else rotation.attention_factor
        if factor == 1:
            return ""
        return f"attention factor {significant(factor, 4)}, {significant(factor**2, 4)} on scores"

    @property
    def title_words(self) -> list[str]:
        """The title, and shorter ones without the factor."""
        return list(dict.fromkeys((self.title, *shorter_names(self.title.removesuffix(", present"))[:3])))

    def count_words(self, target: int) -> tuple[str, ...]:
        """Number of pairs that reach unseen angles, from the longest wording to the shortest."""
        count, n_pairs = counted(self.angles.count), counted(self.n_pairs)
        share = f"{count} of {n_pairs}"
        return f"{share} pairs unseen at {counted(target)}", f"{share} pairs unseen", share, f"{count}/{n_pairs}"

    def pair_words(self, pair: int) -> str:
        """Sentence on the angles of a pair."""
        if self.angles.is_complete[pair]:
            return "full circle seen"
        first = int(self.angles.first[pair])
        return "always within range" if first == NEVER else f"unseen from {counted(first)}"


class UnseenMaps(Struct, frozen=True, eq=False):
    """The maps of a document over one axis of positions; ``chosen`` is the index of the chosen encoding's map.

    ``left_out`` has a sentence for each encoding without a map.
    """

    maps: tuple[UnseenMap, ...]
    chosen: int
    lengths: ContextLengths
    across: Scale
    left_out: tuple[str, ...]

    @classmethod
    def of(cls, document: Document) -> "UnseenMaps":
        """The maps of a document whose encoding turns pairs. ValueError for a target below the trained length."""
        lengths, chosen, logarithmic = document.lengths, document.encoding, document.view.logarithmic
        turning, refused, same = turning_encodings(document)
        maps = tuple(UnseenMap(**asdict(each), angles=_angles(each.encoding, lengths)) for each in turning)
        name, last = "distance" if lengths.is_bounded else "position", max(2, lengths.seen.target)
        across = Scale(name, int(logarithmic), last, logarithmic, whole=True)
        is_scaled = chosen.rotation is not None and chosen.rotation.scaling is not None
        return cls(maps, int(is_scaled), lengths, across, refused + same)

    def first(self, count: int) -> "UnseenMaps":
        """The first ``count`` maps, over the same axis; the chosen one must be among them."""
        return replace(self, maps=self.maps[:count])

    def counts(self, width: Callable[[str], float], room: float, in_line: bool) -> tuple[str, ...]:
        """The count of each map, in the longest wording for which all maps have ``room``, in pixels of ``width``.

        ``in_line`` means beside the shortest title.
        """
        before = [f"{each.title_words[-1]}: " if in_line else "" for each in self.maps]
        for counts in zip(*(each.count_words(self.lengths.target) for each in self.maps), strict=True):
            if all(width(start + count) <= room for start, count in zip(before, counts, strict=True)):
                break
        return counts

    @property
    def most_pairs(self) -> int:
        """The number of pairs of the map with the most pairs."""
        return max(each.n_pairs for each in self.maps)


class Rows(Struct, frozen=True, eq=False):
    """Groups of consecutive pairs, each painted as one row.

    ``edges`` int64 ``(n_rows + 1,)``: the first pair of each row, and the number of pairs. ``is_complete`` and
    ``first`` describe the pair of each row that leaves its arc first.
    """

    edges: IntArray
    is_complete: npt.NDArray[np.bool_]
    first: IntArray

    @classmethod
    def of(cls, angles: UnseenAngles, most: int) -> "Rows":
        """At most ``most`` >= 1 rows of about as many pairs each."""
        n_pairs = len(angles.first)
        edges = np.unique(np.linspace(0, n_pairs, min(n_pairs, most) + 1).astype(np.int64))
        firsts = np.where(angles.first == NEVER, np.iinfo(np.int64).max, angles.first)
        first = np.minimum.reduceat(firsts, edges[:-1])
        is_complete = np.logical_and.reduceat(angles.is_complete, edges[:-1])
        return cls(edges, is_complete, np.where(first == np.iinfo(np.int64).max, NEVER, first))

    def runs(self, flags: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
        """The first row and the one after the last of each run of rows with the flag."""
        changes = np.flatnonzero(np.diff(flags.astype(np.int8))) + 1
        for start, stop in pairwise([0, *changes.tolist(), len(flags)]):
            if flags[start]:
                yield start, stop


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """The first unseen position of each pair and encoding, -1 if never unseen; nan for pairs that an encoding lacks."""
    maps = UnseenMaps.of(document)
    columns = {"pair": np.arange(maps.most_pairs, dtype=np.float64)}
    for each in maps.maps:
        columns[f"first unseen position: {each.title}"] = padded(each.angles.first.astype(np.float64), maps.most_pairs)
    return columns


@lru_cache(maxsize=16)
def _angles(encoding: Encoding, lengths: ContextLengths) -> UnseenAngles:
    return unseen_angles(encoding, *astuple(lengths))
