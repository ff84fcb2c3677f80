"""Token embeddings W_e: none, typed, or simulated, that is, drawn from a seed and labelled as such."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField, NumbersField, Spec
from posenc_core.numerics import FloatArray, normal_entries

EMBEDDING = ChoiceField(
    name="embedding",
    label="so&urce",
    help="What stands for the token itself: nothing, a simulated vector drawn from the seed, or numbers of your own, "
    "the same for every token. Simulated numbers are no model's.",
    default="none",
    choices=(("none", "position only"), ("simulated", "drawn from the seed"), ("typed", "your own numbers")),
)

SEED = IntegerField(
    name="seed",
    label="&seed",
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
    label="&vector",
    help="The typed vector, column 0 first, with commas or blanks between the numbers. Where there are more columns "
    "the numbers are repeated; where there are fewer, only the first are used.",
    default=(1.0,),
)


@dataclass(frozen=True)
class Embedding(Spec):
    """The source of each token's own vector, and whether simulated vectors are scaled by sqrt(d_model)."""

    embedding: str = "none"
    seed: int = 0
    scale_by_sqrt_d: bool = False
    vector: tuple[float, ...] = VECTOR.default

    FIELDS: ClassVar[tuple[Field, ...]] = (EMBEDDING, SEED, SCALE_BY_SQRT_D, VECTOR)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields that have an effect now."""
        own = {"simulated": (SEED, SCALE_BY_SQRT_D), "typed": (VECTOR,)}
        return (EMBEDDING, *own.get(self.embedding, ()))

    @property
    def label(self) -> str:
        """The name in the window and in figures; empty without an embedding."""
        return {"simulated": f"simulated (seed {self.seed})", "typed": "typed"}.get(self.embedding, "")

    def label_at(self, width: int) -> str:
        """The label for vectors of ``width`` columns: whether they are scaled, or repeat or cut the typed numbers."""
        if self.embedding == "simulated":
            return f"{self.label}, × √d_model" if self.scale_by_sqrt_d else self.label
        if self.embedding == "typed" and len(self.vector) != width:
            count = len(self.vector)
            return f"typed, first {width} of {count} numbers" if count > width else "typed, repeated"
        return self.label

    def reach(self, d_model: int) -> float:
        """A bound for the absolute value of the entries.

        For simulated vectors it is five standard deviations, which one entry in two million exceeds.
        """
        if self.embedding == "none":
            return 0.0
        if self.embedding == "typed":
            return max(map(abs, self.vector[:d_model]))
        return 5.0 if self.scale_by_sqrt_d else 5.0 / math.sqrt(d_model)

    def vectors(self, texts: Sequence[str], d_model: int) -> FloatArray | None:
        """W_e of each token, float64 ``(n_tokens, d_model)``, scaled if chosen; None without an embedding.

        Simulated entries are independent normal numbers of variance 1/d_model, as tensor2tensor initialises them: an
        unscaled vector has an expected squared length of 1, a scaled one has entries of variance 1. Equal tokens get
        equal vectors, and a wider vector begins with the same numbers (times the ratio of the widths' roots).
        Typed numbers are the same for every token, repeated or cut to the width (see ``label_at``) and never scaled.
        """
        if self.embedding == "none":
            return None
        if self.embedding == "typed":
            return np.tile(np.resize(np.array(self.vector), d_model), (len(texts), 1))
        length = 1.0 if self.scale_by_sqrt_d else 1.0 / math.sqrt(d_model)
        row, columns = np.zeros(1, np.int64), np.arange(d_model)
        drawn = {text: normal_entries(self.seed, text, row, columns)[0] for text in dict.fromkeys(texts)}
        table = np.array([drawn[text] for text in texts]).reshape(len(texts), d_model)
        return np.asarray(table * length)
