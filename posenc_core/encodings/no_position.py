"""No positional encoding at all (NoPE): position is left to the causal mask."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from posenc_core.encodings.abilities.effect import Effect
from posenc_core.encodings.ramp import Ramp
from posenc_core.explain import Derivation, Dialect, Snippet, Step
from posenc_core.fields import D_MODEL
from posenc_core.numerics import FloatArray, IntArray


@dataclass(frozen=True)
class NoPosition(Ramp):
    """Every entry is 0: nothing is added to vectors or scores, and nothing is rotated. ``d_model`` counts columns.

    Without a mask, a sentence and the same words in another order have the same attention. Under a causal mask,
    position still shows: the query at position p attends to p + 1 keys. Source: Kazemnejad et al. 2023 (The Impact of
    Positional Encoding on Length Generalization in Transformers, arXiv 2305.19466). Llama 4, SmolLM3 and Command R7B
    have it in some of their layers; DroPE removes RoPE after training and recalibrates briefly (Gelberg et al. 2025,
    arXiv 2512.12167).
    """

    d_model: Annotated[int, D_MODEL] = D_MODEL.default

    family: ClassVar[str] = "none"
    title: ClassVar[str] = "No position (NoPE)"
    year: ClassVar[int] = 2023
    summary: ClassVar[str] = (
        "Nothing is added: position shows only in how many keys the mask leaves visible. DroPE trains with RoPE, then "
        "removes it and recalibrates."
    )
    citation: ClassVar[str] = (
        "Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization in Transformers, "
        "arXiv 2305.19466"
    )
    brief: ClassVar[str] = "nothing is added"
    effect: ClassVar[Effect] = Effect.NONE
    causal: ClassVar[bool] = True
    PART: ClassVar[str] = "nothing"

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From -1 to 1, the scale of sinusoids, for comparable pictures."""
        return (-1.0, 1.0)

    def slopes(self, columns: IntArray) -> FloatArray:
        """0 per position."""
        return np.zeros(len(columns))

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """A table of zeros."""
        return Snippet((f"table = {code.zeros(str(self.d_model))}  # nothing is added",))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the entry: the number of visible keys at this position, then 0."""
        visible = position + 1
        keys = "1 key" if visible == 1 else f"{visible} keys"
        text = f"position shows in the mask alone: the query at position {position} sees {keys} in a causal model"
        told = Step(text, f"p + 1 = {visible}", float(visible))
        entry = Step("nothing is added, in any column at any position: 0", f"PE_{{({position}, {column})}} = 0", 0.0)
        steps = (told, entry) if position >= 0 else (entry,)
        return Derivation.of_entry("PE", (position, column), "0", "0", "print(0.0)\n", steps)
