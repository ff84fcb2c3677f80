"""Token embeddings W_e: none, or simulated - drawn from a seed, and never passed off as a model's."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.angles import FloatArray
from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField

EMBEDDING = ChoiceField(
    name="embedding",
    label="so&urce",
    help="What stands for the token itself: nothing, or a simulated vector drawn from the seed. "
    "Simulated numbers are no model's.",
    default="none",
    choices=(("none", "position only"), ("simulated", "drawn from the seed")),
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


@dataclass(frozen=True)
class Embedding:
    """Where the token's own vector comes from, and whether it is scaled by sqrt(d_model)."""

    embedding: str = "none"
    seed: int = 0
    scale_by_sqrt_d: bool = False

    FIELDS: ClassVar[tuple[Field, ...]] = (EMBEDDING, SEED, SCALE_BY_SQRT_D)

    def __post_init__(self) -> None:
        """Every parameter checked; TypeError or ValueError with a sentence."""
        for field in self.FIELDS:
            object.__setattr__(self, field.name, field.check(getattr(self, field.name)))

    @property
    def label(self) -> str:
        """What the window and the figures call it; empty where there is none."""
        return f"simulated (seed {self.seed})" if self.embedding == "simulated" else ""

    def reach(self, d_model: int) -> float:
        """Five standard deviations of an entry: so far from zero there is none, but for one in two million."""
        if self.embedding == "none":
            return 0.0
        return 5.0 if self.scale_by_sqrt_d else 5.0 / math.sqrt(d_model)

    def vectors(self, texts: Sequence[str], d_model: int) -> FloatArray | None:
        """W_e of each token, float64 ``(n_tokens, d_model)``, scaled if so chosen; None where there is none.

        Entries are independent normal numbers of variance 1/d_model, tensor2tensor's initialisation, so that an
        unscaled vector has length 1 and a scaled one has entries of variance 1. The same token always gets the
        same vector, and a wider one begins with the same numbers (times the ratio of the widths' roots).
        """
        if self.embedding == "none":
            return None
        length = 1.0 if self.scale_by_sqrt_d else 1.0 / math.sqrt(d_model)
        drawn = {text: normal_numbers(self.seed, text, d_model) for text in dict.fromkeys(texts)}
        table = np.array([drawn[text] for text in texts]).reshape(len(texts), d_model)
        return np.asarray(table * length)


def normal_numbers(seed: int, text: str, count: int) -> FloatArray:
    """Standard normal numbers ``(count,)`` that depend on seed and text alone.

    RandomState, because numpy promises that its numbers never change between versions.
    """
    digest = hashlib.blake2b(text.encode(), key=seed.to_bytes(4, "little"), digest_size=32).digest()
    return np.random.RandomState(np.frombuffer(digest, "<u4").copy()).standard_normal(count)
