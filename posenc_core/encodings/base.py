"""The interface of every family of encodings: a table of rows, and the abilities that other rooms ask for."""

from abc import ABC
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.encodings.abilities.effect import Combination, Effect
from posenc_core.encodings.abilities.pairs import Pairs
from posenc_core.encodings.abilities.rows import Rows
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.explain import Derivation, Dialect, Digits, Snippet, Step, number_list, written_out
from posenc_core.fields import D_MODEL, Field, Spec, made_from_accepted
from posenc_core.numerics import FloatArray, IntArray

if TYPE_CHECKING:  # most families have none of these abilities
    from posenc_core.encodings.abilities.scores import Scores
    from posenc_core.encodings.abilities.stored_rows import Reading, StoredRows
    from posenc_core.encodings.axes.cells import Cells
    from posenc_core.encodings.rotations.remaps import Remap
    from posenc_core.rope_scaling import RopeScaling
    from posenc_core.text import TokenVectors


def _html_of(encoding: "Encoding") -> str:
    """The encoding as a notebook shows it: a heatmap of at most 64 x 64 cells, a caption, the first numbers."""
    from posenc_core.encodings.abilities.notebook import MOST_CELLS, html_of

    own, seen = encoding.parameters(), encoding.seen_from(MOST_CELLS - 1)
    words = ", ".join(f"{field.name} {field.format(own[field.name])}" for field in encoding.fields)
    return html_of(seen.sampler, words, seen.depends_on_query or seen.causal)


class Encoding(Spec, Rows, ABC):
    """A family with its parameters: a frozen, comparable value that computes its table by windows.

    A family is a frozen dataclass whose fields are its ``FIELDS``, in that order. It must define its ``family``, the
    name in sessions, its ``title`` and ``values``. All else has a default for any table that has values at
    whole positions and is added to vectors. Other rooms never test a family's type: they ask for an ability, which
    is a value, or None for an encoding without it.
    """

    family: ClassVar[str]
    summary: ClassVar[str] = ""
    citation: ClassVar[str] = "No source given"
    brief: ClassVar[str] = ""
    """The summary in a few words."""

    year: ClassVar[int] = 0
    """Year of the first paper or model; 0 for an unknown one."""

    in_gallery: ClassVar[bool] = True
    """Whether the family has a card in the gallery and a row in the scorecard."""

    group: ClassVar[str] = ""
    """A group among ``GROUPS`` in place of the effect's group."""

    in_story: ClassVar[bool] = True
    """Whether the card is on the first page, from the first idea to RoPE."""
    trained_beside: ClassVar[str] = ""
    """Trained parameters beside the table, in words; empty for a family without such parameters."""

    effect: ClassVar[Effect] = Effect.ADDS
    """Effect of the family on vectors or scores; an instance may override it."""

    depends_on_query: ClassVar[bool] = False
    """Whether a number depends on the positions of both query and key: then ``seen_from`` returns a query's table."""

    causal: ClassVar[bool] = False
    """Whether models with this encoding mask later keys, those at distances above 0."""

    needs_content: ClassVar[bool] = False
    """Whether the numbers depend on the tokens' queries and keys."""

    compared: ClassVar["tuple[tuple[str, Encoding], ...]"] = ()
    """The two tables whose difference this one is, each with its letter; none for other encodings."""

    PART: ClassVar[str] = "entry"

    FIELDS: ClassVar[tuple[Field, ...]] = (D_MODEL,)

    WIDTH_NAME: ClassVar[str] = D_MODEL.name
    """The parameter that is the number of columns."""

    @property
    def n_columns(self) -> int:
        """Number of columns of the table."""
        return int(getattr(self, self.WIDTH_NAME))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of an entry; by default its value alone."""
        self.check_domain(np.array([position]))
        value = float(self.values(np.array([position]), np.array([column]))[0, 0])
        latex = Digits(17)(value).latex
        step = Step(f"entry at position {position}, column {column}, as computed: {value!r}", latex, value)
        return Derivation.of_entry("PE", (position, column), f"{value!r}", latex, f"print({value!r})\n", (step,))

    @property
    def sampler(self) -> Sampler[Any]:
        """The pictures of the table at any zoom."""
        return Sampler(self)

    @property
    def pairs(self) -> Pairs | None:
        """The pairs of columns that turn with the position, or in relative families with the distance."""
        return None

    @property
    def cells(self) -> "Cells | None":
        """The cells of a grid by whose coordinates pairs of columns turn."""
        return None

    @property
    def rotation(self) -> "Rotation | None":
        """The rotation of queries and keys."""
        return None

    @property
    def stored(self) -> "StoredRows[Encoding] | None":
        """The table whose rows are the encoding's."""
        return None

    @property
    def reading(self) -> "Reading[Encoding] | None":
        """The reading of entries one by one, for slow pictures."""
        return self.stored

    @property
    def scores(self) -> "Scores | None":
        """Positional part of the score by distance."""
        from posenc_core.encodings.abilities.scores import BiasScores, VectorScores  # few families have them

        if self.effect is Effect.BIASES:
            return BiasScores(self)
        return VectorScores(self) if self.relative and self.effect is Effect.ADDS else None

    @property
    def combination(self) -> Combination:
        """The effect of the table on the tokens' vectors."""
        return Combination(
            "none" if self.relative else "sum",
            self.n_columns,
            lambda vectors, positions: vectors + self.values(positions, np.arange(self.n_columns)),
        )

    def seen_from(self, query: int | None, content: "TokenVectors | None" = None) -> "Encoding":
        """The encoding whose table belongs to the query at this position; None for no query, as in documents.

        The encoding itself if all queries have the same table. ``content`` are the tokens' vectors, for a family that
        needs them.
        """
        return self

    def pair_values(
        self, queries: range, keys: range, component: int = 0, content: "TokenVectors | None" = None
    ) -> FloatArray:
        """The number of each query and key, float64 ``(n_queries, n_keys)``, read-only.

        In relative families it is the entry of the ``component``, a column or head, at the distance key - query. In
        other families it is the dot product of the two rows for any component; with ``content``, for a rotation, the
        score of the tokens' queries and keys. nan for a position without a value, and for a product beyond float64.
        ValueError unless queries and keys ascend in equal steps, and without the content that a family needs.
        """
        from posenc_core.encodings.abilities import pair_numbers  # imported on first use

        pair_numbers.check_steps(queries, keys)
        if not queries or not keys:
            return np.empty((len(queries), len(keys)))
        act = self.combination
        if content is not None and act.kind == "rotation" and act.explain is not None:
            sides = content.queries(queries, act.width), content.keys(keys, act.width)
            return pair_numbers.vector_products(
                *(act.combined(x, np.array(p)) for x, p in zip(sides, (queries, keys), strict=True))
            )
        if self.relative:
            return pair_numbers.entries_by_distance(self, component, queries, keys)
        if self.pairs is not None and self.pairs.is_whole:
            return pair_numbers.products_by_distance(self.pairs, queries, keys)
        return pair_numbers.row_products(self, queries, keys)

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair in rad per token, float64 ``(n_pairs,)``; empty for a table without waves."""
        return np.empty(0) if self.pairs is None else self.pairs.frequencies

    def in_halves(self) -> "Encoding":
        """The table with the first parts of all pairs before the second; itself if its columns are not pairs."""
        return self

    @property
    def label(self) -> str:
        """The source of numbers without a formula: a file, or ``simulated (seed 0)``; empty for a formula."""
        return ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences about parameters that are allowed but surprising."""
        return ()

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """Lines of a script that define ``table`` for its ``positions``; here the numbers themselves.

        ValueError with a sentence for more numbers than can be written out.
        """
        return written_out(self.values(positions, np.arange(self.n_columns)), code, "the numbers themselves")

    def frequencies_source(self, code: Dialect) -> Snippet:
        """Lines of a script that define ``frequencies``, less whole turns; by default the numbers themselves."""
        numbers = self.frequencies() if self.pairs is None else self.pairs.wrapped
        return Snippet((f"frequencies = {code.numbers(number_list(numbers.tolist()))}  # rad per position",))

    _repr_html_ = _html_of

    @classmethod
    def suited(cls, wanted: Mapping[str, Any]) -> Self:
        """The family's encoding with as many of the wanted parameters as it accepts, in an even width if necessary.

        ``wanted`` contains the document's length, and its width under every name of a width.
        """
        found = made_from_accepted(cls.from_parameters, {}, wanted)
        width = wanted.get(cls.WIDTH_NAME, 0)
        if width % 2 and found.parameters().get(cls.WIDTH_NAME, width) != width:
            with suppress(ValueError):  # wider than the family can be
                return found.edited(cls.WIDTH_NAME, width + 1)
        return found


class Rotation(Struct, frozen=True, eq=False):
    """A rotation of queries and keys by the angles of pairs, and the scaling of their frequencies.

    ``pairs`` are those that rotate, in a query and a key of ``head_dim`` columns from ``first_column`` on, the
    ``leading`` or ``trailing`` ``rotary_part``. ``pairing``, ``half_split`` or ``interleaved``, says which columns turn
    together. ``rope_theta`` is the base of the unscaled frequencies. ``rotate`` returns queries or keys
    ``(..., T, head_dim)`` rotated to T positions, times the ``attention_factor``. ``frequencies_source`` returns lines
    of a script that define ``frequencies``, and an ``attention_factor`` other than 1, ``unscaled_source`` those that
    define ``base``, ``r``, ``pairs``, and ``frequencies`` without scaling. ``scaled_by`` returns the encoding with
    another scaling, None for unscaled frequencies; ValueError if it is not possible. ``direction`` is -1 for angles
    below 0 at positions above 0. ``softmax_scale_factor`` is the factor of the model's softmax scale.
    ``distance_rule`` is None for the distances of the text.
    """

    pairs: Pairs
    head_dim: int
    pairing: str
    rope_theta: float
    rotate: Callable[[Any, Any], npt.NDArray[np.floating[Any]]]
    frequencies_source: Callable[[Dialect], Snippet]
    unscaled_source: Callable[[Dialect], Snippet]
    scaled_by: "Callable[[RopeScaling | None], Encoding]"
    scaling: "RopeScaling | None" = None
    rotary_part: str = "leading"
    first_column: int = 0
    direction: int = 1
    attention_factor: float = 1.0
    softmax_scale_factor: float = 1.0
    distance_rule: "Remap | None" = None

    @property
    def n_columns(self) -> int:
        """Number of columns that are rotated."""
        return self.pairs.n_columns


def turning_pairs(encoding: Encoding) -> Pairs | None:
    """The pairs of columns that turn with the position; None without any, and where columns turn with a distance."""
    return None if encoding.relative else encoding.pairs


def rotating_pairs(encoding: Encoding) -> Pairs | None:
    """The pairs that turn with the position, in columns of the table or in a rotation that the table is not of."""
    return turning_pairs(encoding) if encoding.rotation is None else encoding.rotation.pairs
