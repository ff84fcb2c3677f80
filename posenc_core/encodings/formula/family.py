"""A formula of one's own (family ``formula``): a table, angles or biases from a typed text."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Annotated, Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt

import posenc_core.formula as language  # whose parts are loaded when a formula is read
from posenc_core.encodings.abilities.computed import Computed
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.abilities.stored_rows import Reading
from posenc_core.encodings.base import Encoding
from posenc_core.encodings.formula.derived import entry_derivation, table_source
from posenc_core.encodings.formula.fields import (
    FORMULA,
    FORMULA_COS,
    FORMULA_KIND,
    PARAMETERS,
    STARTS,
    FormulaField,
)
from posenc_core.encodings.formula.pictures import FormulaSampler, extremes, sampled
from posenc_core.explain import Derivation, Dialect, Snippet
from posenc_core.fields import BASE, D_MODEL, N_HEADS, SEQ_LEN, Field
from posenc_core.numerics import FloatArray, IntArray

LARGEST = 1e30
"""Larger entries are left out like non-finite ones, since pictures are float32."""

_OPERATIONS_PER_ENTRY, _SET_UP = 10, 4
"""Operations with the cost of one entry of a file's table, and the cost of an entry without operations."""


@dataclass(frozen=True)
class Formula(Encoding):
    """A table computed by a typed formula; ``formula_kind`` is the kind of number that the formula computes.

    ``formula_cos`` is the formula of the second column of each pair, empty for one formula of all columns.
    ``parameter`` maps the names in the formulas that are not variables to their numbers. Entries that are not finite
    are replaced by 0. The subclasses are the kinds; ``from_parameters`` makes the right one.

    Source: the user.
    """

    formula: Annotated[str, FORMULA] = FORMULA.default
    formula_cos: Annotated[str, FORMULA_COS] = FORMULA_COS.default
    formula_kind: Annotated[str, FORMULA_KIND] = FORMULA_KIND.default
    parameter: Annotated[tuple[tuple[str, float], ...], PARAMETERS] = ()
    d_model: Annotated[int, D_MODEL] = D_MODEL.default
    n_heads: Annotated[int, N_HEADS] = N_HEADS.default
    base: Annotated[float, BASE] = BASE.default
    seq_len: Annotated[int, SEQ_LEN] = SEQ_LEN.default

    family: ClassVar[str] = "formula"
    title: ClassVar[str] = "Formula of your own"
    summary: ClassVar[str] = "Your own formula for an entry, a pair's angle or a bias."
    brief: ClassVar[str] = "your own formula"
    citation: ClassVar[str] = "No paper: your own formula"
    in_gallery: ClassVar[bool] = False
    continuous: ClassVar[bool] = True
    PART: ClassVar[str] = "formula"

    def __post_init__(self) -> None:
        super().__post_init__()
        given = dict(self.parameter)
        fitting = tuple((name, given.get(name, 1.0)) for name, _ in PARAMETERS.from_parameters(self.parameters()))
        object.__setattr__(self, "parameter", fitting)
        if self.formula_kind != "entry":
            object.__setattr__(self, "formula_cos", "")

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """The formula of the kind that the parameters name, in that kind's class; a kind alone starts with its own."""
        kind = FORMULA_KIND.check(parameters.get(FORMULA_KIND.name, FORMULA_KIND.default))
        starts = {} if FORMULA.name in parameters else dict(zip(_TEXTS, STARTS[kind], strict=True))
        given = {**parameters, **starts}
        made: type[Self] = import_module(f"{__package__}.{kind}").KIND
        return made(**{field.name: field.from_parameters(given) for field in cls.FIELDS})

    @classmethod
    def fields_for(cls, parameters: Mapping[str, Any]) -> tuple[Field, ...]:
        """The fields of the kind, with one for each parameter, and the base and the length if a formula names them."""
        is_bias = parameters.get(FORMULA_KIND.name) == "bias"
        hidden = {D_MODEL.name if is_bias else N_HEADS.name}
        fields = [field for each in cls.FIELDS for field in each.visible_fields(parameters) if field.name not in hidden]
        formulas = [field for field in fields if isinstance(field, FormulaField)]
        trees = [field.tree(parameters.get(field.name, field.default)) for field in formulas]
        named = {name for tree in trees if tree is not None for name in tree.names()}
        return tuple(field for field in fields if _NAMES.get(field.name) in {None, *named})

    def edited(self, name: str, value: Any) -> Self:
        """The formula with one parameter changed; a kind that the texts do not suit starts with its own."""
        if name not in self.parameters():
            raise KeyError(name)
        changed, texts = {**self.parameters(), name: value}, (self.formula, self.formula_cos)
        if name == FORMULA_KIND.name and value in STARTS and texts == STARTS[self.formula_kind]:
            changed |= dict(zip(_TEXTS, STARTS[value], strict=True))
        try:
            return self.from_parameters(changed)
        except language.FormulaError:
            if name != FORMULA_KIND.name:
                raise
            return self.from_parameters({each: changed[each] for each in changed if each not in _TEXTS})

    @cached_property
    def formulas(self) -> "tuple[language.Node, ...]":
        """The trees of the typed formulas, one or two."""
        trees = (field.tree(getattr(self, field.name)) for field in self.fields if isinstance(field, FormulaField))
        return tuple(tree for tree in trees if tree is not None)

    @property
    def parts(self) -> "tuple[language.Node, ...]":
        """The formulas of entries: one for all columns, or one for each column of a pair."""
        return self.formulas

    @property
    def numbers(self) -> dict[str, float]:
        """The names that have one number, with their numbers."""
        widths = {"d": float(self.d_model), "H": float(self.n_heads)}
        return {**widths, "L": float(self.seq_len), "b": self.base, **dict(self.parameter)}

    def variables(self, points: Any, columns: Any) -> dict[str, Any]:
        """The names that depend on position or column, for arrays or for numbers."""
        return {"p": points, "c": columns, "i": columns // 2}

    def at(self, points: FloatArray, columns: IntArray) -> FloatArray:
        """The entries at any real positions, float64 ``(n_points, n_columns)``; 0 if not finite."""
        found = self.evaluated(points, columns)
        found[~is_kept(found)] = 0.0
        return found

    def evaluated(self, points: FloatArray, columns: IntArray) -> FloatArray:
        """The formula's numbers, non-finite ones included."""
        return numbers_at(self, self.parts, points, columns)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_positions, n_columns)``; 0 if not finite."""
        return self.at(positions.astype(np.float64), columns)

    @property
    def sampler(self) -> Sampler[Any]:
        """Curves between whole positions, means and ranges from the entries."""
        return FormulaSampler(self, self.at)

    @property
    def reading(self) -> Reading["Formula"]:
        """The evaluation entry by entry, slow for many positions."""
        n_operations = max(map(language.n_operations, self.parts))
        return Computed(self, (_SET_UP + n_operations) / _OPERATIONS_PER_ENTRY)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Bounds by the outermost operations; else the smallest and largest entry, as far as a search finds them."""
        return _range_of(self, first, stop)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on entries that are not finite."""
        return _left_out(self)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: its names, then its operations from the inside out."""
        numbers = {**self.numbers, **self.variables(float(position), float(column))}
        name, shown = ("bias", -position) if self.relative else ("PE", position)
        (value,) = self.values(np.array([position]), np.array([column])).ravel().tolist()
        return entry_derivation(name, (shown, column), self.parts[column % len(self.parts)], numbers, value)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The names of the formula, then the formula in its columns, with 0 for non-finite entries."""
        lines = table_source(self.parts, self.numbers, self.n_columns, code)
        if is_whole(self, positions):
            return lines
        chosen = f"{code.module}.where(abs(table) <= {LARGEST!r}, table, 0.0)"
        quiet = Snippet(('np.seterr(all="ignore")',) if code.module == "np" else ())
        return quiet + lines + Snippet((f"table = {chosen}  # no infinite entries",))


_TEXTS = (FORMULA.name, FORMULA_COS.name)
_NAMES = {BASE.name: "b", SEQ_LEN.name: "L"}
"""The names in formulas of fields that other formulas do not have."""


@lru_cache(maxsize=256)
def _range_of(formula: Formula, first: int, stop: int) -> tuple[float, float]:
    bounds = [language.has_bound(tree) for tree in formula.parts]
    if None not in bounds:
        known = cast("list[tuple[float, float]]", bounds)
        return min(low for low, _ in known), max(high for _, high in known)
    low, high = extremes(formula.values, (first, stop), (0, formula.n_columns))
    return (low, high) if low < high else (min(low, 0.0), max(high, 0.0) or 1.0)


@lru_cache(maxsize=256)
def _left_out(formula: Formula) -> tuple[str, ...]:
    first, stop = (1 - formula.seq_len, formula.seq_len) if formula.relative else (0, formula.seq_len)
    rows, columns = sampled((first, stop), (0, formula.n_columns))
    missing = ~is_kept(formula.evaluated(rows.astype(np.float64), columns))
    if not missing.any():
        return ()
    row, column = np.argwhere(missing)[0].tolist()
    noun, part, sign = ("distance", "head", -1) if formula.relative else ("position", "column", 1)
    examined = "" if missing.size == (stop - first) * formula.n_columns else " that were examined"
    return (
        f"{int(missing.sum()):,} of the {missing.size:,} entries{examined} are not finite or beyond {LARGEST:g}, such "
        f"as that of {noun} {sign * rows[row]}, {part} {columns[column]}: these entries are shown as 0",
    )


def is_kept(numbers: FloatArray) -> npt.NDArray[np.bool_]:
    """Mask of the numbers that are finite and at most ``LARGEST`` by absolute value."""
    return np.abs(numbers) <= LARGEST


def numbers_at(
    formula: Formula, parts: "tuple[language.Node, ...]", points: FloatArray, columns: IntArray
) -> FloatArray:
    """The numbers of trees in turn at real positions, float64 ``(n_points, n_columns)``."""
    found, across = np.empty((len(points), len(columns))), columns.astype(np.float64)
    for part, tree in enumerate(parts):
        of_part = columns % len(parts) == part if len(parts) > 1 else slice(None)
        found[:, of_part] = language.evaluated(
            tree, {**formula.numbers, **formula.variables(points[:, None], across[of_part])}
        )
    found += 0.0  # no -0.0
    return found


def is_whole(formula: Formula, positions: IntArray) -> bool:
    """Whether all entries at these positions are finite; of many entries, only some are examined."""
    ends = int(positions.min(initial=0)), int(positions.max(initial=0)) + 1
    rows, columns = sampled(ends, (0, formula.n_columns))
    return bool(is_kept(formula.evaluated(rows.astype(np.float64), columns)).all())
