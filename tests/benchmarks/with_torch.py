"""Each family's table as models make it with torch, in float32, on the two threads that numpy has as well."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

Array = npt.NDArray[Any]

WIDTH, HEADS, BITS, CLIP = 1024, 32, 32, 64

torch.set_num_threads(2)


def angles(positions: torch.Tensor) -> torch.Tensor:
    """Position times frequency, as in transformers' rotary embeddings."""
    inv_freq = 1.0 / (10000.0 ** (torch.arange(0, WIDTH, 2).float() / WIDTH))
    return torch.outer(positions.float(), inv_freq)


def sinusoidal(positions: torch.Tensor) -> torch.Tensor:
    """The paper's table, as the Annotated Transformer and PyTorch's tutorial write it."""
    table = torch.zeros(len(positions), WIDTH)
    frequencies = torch.exp(torch.arange(0, WIDTH, 2).float() * (-math.log(10000.0) / WIDTH))
    table[:, 0::2] = torch.sin(positions.float()[:, None] * frequencies)
    table[:, 1::2] = torch.cos(positions.float()[:, None] * frequencies)
    return table


def rotary(positions: torch.Tensor, attention_scaling: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines as Llama's ``LlamaRotaryEmbedding.forward`` in transformers, for both halves.

    Every angle is there twice, and scaled also where the scaling is 1. The frequencies are made once, before.
    """
    freqs = angles(positions)
    emb = torch.cat((freqs, freqs), dim=-1)
    return emb.cos() * attention_scaling, emb.sin() * attention_scaling


def rotary_yarn(positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The same with an attention factor."""
    return rotary(positions, 1.25)


def gptj(positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Sines and cosines as GPT-J repeats them for neighbouring columns."""
    freqs = angles(positions)
    return tuple(torch.repeat_interleave(each, 2, -1) for each in (freqs.sin(), freqs.cos()))  # type: ignore[return-value]


def transformer_xl(positions: torch.Tensor) -> torch.Tensor:
    """Sines, then cosines, of query minus key."""
    freqs = angles(-positions)
    return torch.cat((freqs.sin(), freqs.cos()), dim=-1)


def buckets(distances: torch.Tensor) -> torch.Tensor:
    """T5's ``_relative_position_bucket`` in both directions, 32 buckets up to 128."""
    far = distances.abs()
    large = 8 + (torch.log(far.float() / 8) / math.log(128 / 8) * 8).long()
    return (distances > 0).long() * 16 + torch.where(far < 8, far, torch.clamp(large, max=15))


def formulas(rows: Array, clipped: Array, biases: Array) -> dict[str, Callable[[Array], object]]:
    """The table of each family from integer positions; ``rows``, ``clipped`` and ``biases`` are weights."""
    rows_, clipped_, biases_ = (torch.tensor(each, dtype=torch.float32) for each in (rows, clipped, biases))
    slopes = 2.0 ** (-8 * torch.arange(1, HEADS + 1) / HEADS)
    shifts = torch.arange(BITS - 1, -1, -1)
    made: dict[str, Callable[[torch.Tensor], object]] = {
        "integer": lambda p: p.float()[:, None].repeat(1, WIDTH),
        "normalized": lambda p: (p.float() / (len(p) - 1))[:, None].repeat(1, WIDTH),
        "binary": lambda p: ((p[:, None] >> shifts) & 1).float(),
        "sinusoidal": sinusoidal,
        "learned": lambda p: rows_[p],
        "shaw": lambda p: clipped_[p.clamp(-CLIP, CLIP) + CLIP],
        "transformer_xl": transformer_xl,
        "t5": lambda p: biases_[buckets(p)],
        "alibi": lambda p: p.float()[:, None] * slopes,
        "rotary": rotary,
        "rotary_interleaved": gptj,
        "rotary_yarn": rotary_yarn,
    }
    return {name: lambda p, each=each: each(torch.from_numpy(p)) for name, each in made.items()}  # type: ignore[misc]


def table(name: str, positions: Array) -> Array:
    """The columns of the family of that name, sinusoidal or rotary, in the order that encode gives them."""
    places = torch.from_numpy(positions)
    if name == "sinusoidal":
        return sinusoidal(places).numpy()
    cosine, sine = rotary(places)
    half = WIDTH // 2
    return np.concatenate([cosine[:, :half], sine[:, half:]], axis=1)
