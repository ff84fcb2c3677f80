"""Token embeddings W_e: none, typed, a model's own rows, or simulated: drawn from a seed and labelled as such."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, Self

import numpy as np
from typing_extensions import override

from posenc_core.fields import (
    ChoiceField,
    Field,
    FlagField,
    IntegerField,
    MissingFileError,
    NumbersField,
    Spec,
    shortened,
)
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.text.pair_vectors import drawn_vectors

EMBEDDING = ChoiceField(
    name="embedding",
    label="so&urce",
    help="The token's own vector: none, a simulated one drawn from the seed, numbers of your own, the same for "
    "every token, or the token's row in the model's file. Simulated numbers do not come from a model.",
    default="none",
    choices=(
        ("none", "position only"),
        ("simulated", "drawn from the seed"),
        ("typed", "your own numbers"),
        ("model", "the rows of a model's own tokens"),
    ),
    titles=("none (position only)", "simulated (from a seed)", "typed (your numbers)", "model (its own rows)"),
)

SEED = IntegerField(
    name="seed",
    help="Seed of the simulated embeddings: the same seed and token always give the same vector.",
    default=0,
    minimum=0,
    maximum=2**32 - 1,
)

SCALE_BY_SQRT_D = FlagField(
    name="scale_by_sqrt_d",
    label="sc&ale by √d_model",
    help="Multiply W_e by √d_model before the position is added, as the paper does (section 3.4).",
    default=False,
)

VECTOR = NumbersField(
    name="vector",
    help="The typed vector, column 0 first, with commas or blanks between the numbers. Where there are more columns "
    "the numbers are repeated; where there are fewer, only the first are used.",
    default=(1.0,),
)


class EmbeddingRows(Protocol):
    """The embedding of a model: a row for each id; only the rows of the tokens are read."""

    @property
    def label(self) -> str:
        """The names of the file and of the tensor."""

    @property
    def digest(self) -> str:
        """A hash of the numbers."""

    @property
    def shape(self) -> tuple[int, int]:
        """Number of ids and of columns."""

    @property
    def largest(self) -> float:
        """The largest known absolute value."""

    def read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """The entries, float64 ``(n_rows, n_columns)``; ValueError with one sentence for unreadable entries."""


class HeldRows(str):
    """The digest of a model's embedding with its rows: parameters use it as the rows, sessions as the text."""

    rows: EmbeddingRows

    @classmethod
    def of(cls, rows: EmbeddingRows) -> "HeldRows":
        """The digest of these rows."""
        digest = cls(rows.digest)
        digest.rows = rows
        return digest


@dataclass(frozen=True)
class Embedding(Spec):
    """The source of each token's own vector, and whether simulated and model's vectors are scaled by sqrt(d_model).

    ``rows`` is the embedding of the open model, or None without a model; only the source ``model`` uses it.
    """

    embedding: Annotated[str, EMBEDDING] = "none"
    seed: Annotated[int, SEED] = 0
    scale_by_sqrt_d: Annotated[bool, SCALE_BY_SQRT_D] = False
    vector: Annotated[tuple[float, ...], VECTOR] = VECTOR.default
    rows: EmbeddingRows | None = None

    @override
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.embedding == "model" and self.rows is None:
            raise MissingFileError(
                "no model with an embedding is open; open a tokenizer.json with a model.safetensors in the same folder"
            )

    @override
    def parameters(self) -> dict[str, Any]:
        held = {} if self.rows is None else {"rows_name": self.rows.label, "rows_digest": HeldRows.of(self.rows)}
        return super().parameters() | held

    @classmethod
    @override
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        digest = parameters.get("rows_digest")
        held = digest.rows if isinstance(digest, HeldRows) else None
        if held is None and digest is not None and parameters.get(EMBEDDING.name) == "model":
            raise MissingFileError(
                f"this session shows the embedding {shortened(parameters.get('rows_name'))}, which a session does not "
                "contain; open the tokenizer.json of that model's folder first"
            )
        return cls(**{field.name: field.from_parameters(parameters) for field in cls.FIELDS}, rows=held)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields that have an effect now."""
        own = {"simulated": (SEED, SCALE_BY_SQRT_D), "typed": (VECTOR,), "model": (SCALE_BY_SQRT_D,)}
        return (EMBEDDING, *own.get(self.embedding, ()))

    @property
    def label(self) -> str:
        """The name in the window and in figures; empty without an embedding."""
        if self.embedding == "model" and self.rows is not None:
            return self.rows.label
        return {"simulated": f"simulated (seed {self.seed})", "typed": "typed"}.get(self.embedding, "")

    def label_at(self, width: int) -> str:
        """The label for vectors of ``width`` columns: whether they are scaled, or repeat or cut the numbers."""
        if self.embedding in ("simulated", "model"):
            return self.label + self._cut_at(width) + (", × √d_model" if self.scale_by_sqrt_d else "")
        if self.embedding == "typed" and len(self.vector) != width:
            count = len(self.vector)
            return f"typed, first {width} of {count} numbers" if count > width else "typed, repeated"
        return self.label

    def _cut_at(self, width: int) -> str:
        """Sentence on the columns that ``width`` omits from a model's rows, or adds to them."""
        n_columns = width if self.embedding != "model" or self.rows is None else self.rows.shape[1]
        if width < n_columns:
            return f", first {width} of {n_columns} columns"
        return f", {n_columns} columns and zeros" if width > n_columns else ""

    def reach(self, d_model: int) -> float:
        """A bound for the absolute value of the entries.

        For simulated vectors it is five standard deviations, which one entry in two million exceeds; for a model's
        rows it is the largest of the examined entries.
        """
        if self.embedding == "none":
            return 0.0
        if self.embedding == "typed":
            return max(map(abs, self.vector[:d_model]))
        if self.embedding == "model" and self.rows is not None:
            return self.rows.largest * (math.sqrt(d_model) if self.scale_by_sqrt_d else 1.0)
        return 5.0 if self.scale_by_sqrt_d else 5.0 / math.sqrt(d_model)

    def vectors(self, texts: Sequence[str], d_model: int, ids: Sequence[int | None] | None = None) -> FloatArray | None:
        """W_e of each token, float64 ``(n_tokens, d_model)``, scaled if chosen; None without an embedding.

        ``ids`` are those of the tokens, for a model's rows. A missing id, or an id without a row, has zeros. ValueError
        with one sentence for a row that cannot be read.

        Simulated entries are independent normal numbers of variance 1/d_model, as tensor2tensor initialises them: an
        unscaled vector has an expected squared length of 1, a scaled one has entries of variance 1. Equal tokens get
        equal vectors, and a wider vector begins with the same numbers (times the ratio of the widths' roots).
        Typed numbers are the same for every token, repeated or cut to the width (see ``label_at``) and never scaled.
        """
        if self.embedding == "none":
            return None
        if self.embedding == "typed":
            return np.tile(np.resize(np.array(self.vector), d_model), (len(texts), 1))
        if self.embedding == "model" and self.rows is not None:
            return _rows_of(self.rows, ids or [None] * len(texts), d_model) * (
                math.sqrt(d_model) if self.scale_by_sqrt_d else 1.0
            )
        length = 1.0 if self.scale_by_sqrt_d else 1.0 / math.sqrt(d_model)
        return drawn_vectors("e", self.seed, texts, d_model) * length


def _rows_of(rows: EmbeddingRows, ids: Sequence[int | None], d_model: int) -> FloatArray:
    """The rows of the ids in the first ``d_model`` columns, with zeros for missing numbers."""
    height, width = rows.shape
    table = np.zeros((len(ids), d_model))
    wanted = np.array([-1 if number is None else number for number in ids], np.int64)
    there = (wanted >= 0) & (wanted < height)
    if there.any():
        columns = np.arange(min(width, d_model))
        table[there, : len(columns)] = rows.read(wanted[there], columns)
    return table
