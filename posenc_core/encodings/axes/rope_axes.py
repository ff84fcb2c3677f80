"""RoPE on several axes: each pair turns by the coordinate of one axis of a picture, a video or a text."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rotating import rotated, turned
from posenc_core.encodings.abilities.rotation_scores import RotationScores
from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.axes.cells import Cells
from posenc_core.encodings.axes.columns import PairColumns
from posenc_core.encodings.axes.coordinates import Coordinates
from posenc_core.encodings.axes.fields import AXES, FIELDS, SECTIONED, is_read
from posenc_core.encodings.axes.grid import Grid
from posenc_core.encodings.axes.rules import Division, pair_axes
from posenc_core.encodings.axes.sampler import GridSampler
from posenc_core.encodings.axes.source import axes_source
from posenc_core.encodings.axes.steps import AxesEntry
from posenc_core.encodings.base import Encoding, Rotation
from posenc_core.encodings.harmonic import HarmonicSampler, base_warnings, check_single
from posenc_core.encodings.rotary import Rotary
from posenc_core.explain import Derivation, Dialect, Snippet, passed_through, rotation_steps
from posenc_core.fields import Field, check_column, check_positions, check_vector
from posenc_core.numerics import Float32Array, FloatArray, IntArray
from posenc_core.rope_scaling import ROPE_THETA, SCALING, RopeScaling

_PARTS = ("cos", "sin")
_LISTS = ("axis_widths", "bases", "sections")


@dataclass(frozen=True)
class RopeAxes(PairColumns):
    """Pairs ``cos(angle_i), sin(angle_i)`` with ``angle_i = place @ weights[:, i]`` that rotate queries and keys.

    A position p is the index of a cell of the ``grid`` in row-major order, and ``place`` are the cell's coordinates on
    the ``axes``. ``rule`` gives each pair its axis and its frequency (``rules.py``), ``coordinate`` makes
    coordinates from indices (``coordinates.py``). ``scaling`` is read by rules of sections. ``notes`` are additional
    warnings, which an edit drops.
    """

    head_dim: int = 64
    rope_theta: float = 10000.0
    rule: str = "blocks"
    axes: str = "h,w"
    pairing: str = "half_split"
    coordinate: str = "index"
    base_height: int = 30
    base_width: int = 45
    axis_widths: tuple[int, ...] | None = None
    bases: tuple[float, ...] | None = None
    sections: tuple[int, ...] | None = None
    direction_rad: float = 0.5
    grid: str = "text"
    rotary_dim: int | None = None
    scaling: RopeScaling | None = None
    notes: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    family: ClassVar[str] = "rope_axes"
    title: ClassVar[str] = "RoPE on several axes"
    year: ClassVar[int] = 2024
    group: ClassVar[str] = "axes"
    summary: ClassVar[str] = "Each pair turns by one coordinate of a patch: its row, its column, or its frame."
    brief: ClassVar[str] = "turns q and k by axis"
    in_story: ClassVar[bool] = False
    citation: ClassVar[str] = "Heo et al. 2024, RoPE-ViT, arXiv 2403.13298; Wang et al. 2024, Qwen2-VL, section 2.1"
    effect: ClassVar[Effect] = Effect.ROTATES
    WIDTH_NAME: ClassVar[str] = "head_dim"
    FIELDS: ClassVar[tuple[Field, ...]] = FIELDS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_columns > self.head_dim:
            raise ValueError(f"rotary_dim must be at most head_dim = {self.head_dim}, got {self.n_columns}")
        pair_axes(self.division)

    @property
    def n_columns(self) -> int:
        """Number of columns that are rotated, the first of the head."""
        return self.head_dim if self.rotary_dim is None else self.rotary_dim

    @classmethod
    def fields_for(cls, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields that the rule reads."""
        return tuple(field for field in super().fields_for(parameters) if is_read(field.name, parameters))

    def edited(self, name: str, value: Any) -> "RopeAxes":
        """As for every family; another width, rule or order of axes drops lists that it does not fit."""
        if name == SCALING.name and value != SCALING.flat(self.scaling)[name]:
            return replace(self, scaling=SCALING.chosen(self.scaling, value, self.division.n_pairs), notes=())
        if name not in ("head_dim", "rotary_dim", "rule", "axes"):
            changed = super().edited(name, value)
            return self if changed == self else replace(changed, notes=())
        kept: dict[str, Any] = {}
        dropped = dict.fromkeys(_LISTS)
        for instead in (kept, dropped, *({**dropped, "axes": each} for each in AXES.values if name == "rule")):
            with suppress(ValueError):
                return replace(self, **{**instead, name: value}, notes=())
        return replace(self, **{**dropped, name: value})

    @property
    def division(self) -> Division:
        """The parameters that divide the pairs among the axes; ValueError unless there is a base for each axis."""
        is_blocks, names = self.rule == "blocks", tuple(self.axes.split(","))
        if is_blocks and self.bases is not None and len(self.bases) != len(names):
            raise ValueError(f"bases needs a number for each axis of {', '.join(names)}, got {len(self.bases)}")
        return Division(
            self.rule,
            names,
            self.n_columns,
            self.rope_theta,
            self.bases if is_blocks else None,
            self.axis_widths if is_blocks else None,
            self.sections if self.rule in SECTIONED else None,
            self.direction_rad if self.rule == "mixed" else 0.0,
            "head_dim" if self.rotary_dim is None else "rotary_dim",
            self.scaling if self.rule in SECTIONED else None,
        )

    @cached_property
    def cells(self) -> Cells:
        """The cells of the grid with their coordinates, and the axis and frequency of each pair."""
        kind = "normalised" if self.rule == "normalised" else self.coordinate
        bases, continues = (self.base_height, self.base_width), self.rule in SECTIONED
        coordinates = Coordinates(kind, self.division.names, bases, continues)
        return Cells(Grid.of(self.grid), coordinates, pair_axes(self.division), self.attention_factor)

    @property
    def attention_factor(self) -> float:
        """The factor of cosines and sines; 1 without scaling."""
        return 1.0 if self.division.scaling is None else self.division.scaling.amplitude

    def angles_at(self, place: Any) -> FloatArray:
        """The angle of each pair at coordinates in the order of the axes, float64 ``(n_pairs,)`` in rad."""
        return np.asarray(check_vector(place, "place", len(self.cells.names)) @ self.cells.pairs.weights)

    @property
    def domain(self) -> tuple[float, float]:
        """The cells of the grid; any position in a text."""
        n_cells = self.cells.grid.n_cells
        return super().domain if n_cells is None else (0, n_cells - 1)

    def no_value(self, position: int) -> str:
        """The sentence for a position outside the grid."""
        cells = f"position {position} has no cell in the grid {self.grid}, whose cells are 0..{self.domain[1]:g}"
        return f"{cells}; choose a larger grid or shorten the sentence"

    @property
    def rotation(self) -> Rotation | None:
        """RoPE of one axis where it turns all positions by the same angles, as in a text of a language model."""
        grid, coordinates = self.cells.grid, self.cells.coordinates
        if grid.is_picture or self.rule not in SECTIONED or set(coordinates.text_direction(grid)) != {1.0}:
            return None
        rotary = Rotary(self.head_dim, self.rope_theta, self.pairing, rotary_dim=self.rotary_dim, scaling=self.scaling)
        return rotary.rotation

    def frequencies(self) -> FloatArray:
        """The turn of each pair from one cell to the next along its axis, float64 ``(n_pairs,)`` in rad."""
        return self.cells.rates

    def column_info(self, column: int) -> ColumnInfo:
        """The column's pair, its part (``cos`` or ``sin``) and its wavelength in cells along its axis."""
        check_column(column, self.n_columns)
        pair, part = self.place_of(column)
        frequency = float(self.cells.rates[pair])
        return ColumnInfo(pair, _PARTS[part], 2 * np.pi / frequency if frequency else np.inf)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """Each entry from its own float64 angle, float64 ``(n_positions, n_columns)``."""
        pairs, parts = self.places(columns)
        return self.cells.entries(positions, pairs, parts == 1)

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries in float32 ``(n_positions, n_columns)``, within 2e-7 of the exact value up to position 10**7.

        ValueError for an attention factor beyond float32.
        """
        check_single(self.attention_factor)
        pairs, parts = self.places(columns)
        return self.cells.entries(positions, pairs, parts == 1, single=True)

    @property
    def sampler(self) -> Sampler[Any]:
        """Closed forms of sinusoids in a text, of means over the cells of a picture."""
        if self.cells.grid.is_picture:
            return GridSampler(self, self.cells.lattices, self.places, self.attention_factor)
        steps = self.cells.lattices[-1].steps[0]
        wrapped = steps - 2 * np.pi * np.round(steps / (2 * np.pi))
        is_interleaved = self.pairing == "interleaved"
        pairs = Pairs(steps.copy(), wrapped, steps.copy(), self.n_columns, is_interleaved, False)
        return HarmonicSampler(self, replace(pairs, amplitude=self.attention_factor))

    @property
    def reading(self) -> Reading[Encoding] | None:
        """The evaluation cell by cell in pictures whose columns have no closed form of their ends; else None."""
        sampler = self.sampler
        return None if not isinstance(sampler, GridSampler) or sampler.has_ends else Computed(self, 2)

    @property
    def combination(self) -> Combination:
        """A rotation of the head's queries and keys."""
        return Combination(
            "rotation", self.head_dim, partial(turned, self), self.explain_rotation, self.attention_factor
        )

    def rotate(self, x: Any, positions: Any) -> npt.NDArray[np.floating[Any]]:
        """Queries or keys ``(..., T, head_dim)`` rotated to the T positions; the shape and errors of ``Rotary``'s.

        ValueError also for a position without a cell.
        """
        self.check_domain(check_positions(positions))
        return rotated(self, x, positions)

    @property
    def scores(self) -> RotationScores | None:
        """The scores of rotated queries and keys by distance, where one axis turns all positions."""
        return None if self.rotation is None else RotationScores(self.rotation)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on axes that turn no pair, an unusual base, and a grid in which nothing rotates."""
        cells = self.cells
        idle = [name for name in cells.names if name not in "".join(set(cells.axis_of_pairs))]
        found = [*self.notes, *(f"the axis {name} turns no pair: it is not encoded" for name in idle)]
        found += base_warnings(self.rope_theta) if is_read(ROPE_THETA.name, self.parameters()) else []
        if self.division.scaling is not None:
            found += self.division.scaling.warnings(self.division.n_pairs)
        if not any(cells.coordinates.text_direction(cells.grid)) and not cells.grid.is_picture:
            found.append("a text has no coordinates between -1 and 1: nothing rotates; choose a grid such as 14x14")
        return tuple(found)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of an entry: pair, axis, coordinate, exponent, frequency, angle, cosine or sine."""
        self.check_domain(np.array([position]))
        pair, part = self.place_of(column)
        return self._entry(position, pair, _PARTS[part]).derivation(column, self.pairing == "interleaved")

    def _entry(self, position: int, pair: int, part: str) -> AxesEntry:
        scaling, factor = self.division.scaling, self.attention_factor
        return AxesEntry(position, pair, part, self.division, self.cells, scaling, factor)

    def explain_rotation(self, x: Any, position: int, column: int) -> Derivation:
        """The derivation of a component of a rotated vector; ``x`` is a query or key ``(head_dim,)``."""
        vector = check_vector(x, "x", self.head_dim)
        if column >= self.n_columns:
            return passed_through(position, float(vector[column]), column, f"the first {self.n_columns}")
        pair, _ = self.place_of(column)
        one, other = np.flatnonzero(self.places(np.arange(self.n_columns))[0] == pair).tolist()
        cosine, sine = (self._entry(position, pair, part) for part in _PARTS)
        return rotation_steps((cosine, sine), (one, other), vector, column)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Coordinates, weights of the pairs, angles, then cosines and sines in their columns."""
        return axes_source(self.cells, self.pairing, code)
