"""T5's buckets, Bloom's ALiBi, and the sinusoids of Marian and M2M100 against transformers' own code."""

import numpy as np
import pytest
import torch
from comparing import Compare
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.t5.modeling_t5 import T5Attention

from posenc_core import Alibi, Sinusoidal, T5Bias, encode

DISTANCES = np.arange(-2000, 2001)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (32, 20), (64, 256), (8, 100), (128, 1000)])
def test_t5s_buckets(num_buckets: int, max_distance: int, bidirectional: bool, compare: Compare) -> None:
    bias = T5Bias(num_buckets, max_distance, bidirectional)
    theirs = T5Attention._relative_position_bucket(torch.tensor(DISTANCES), bidirectional, num_buckets, max_distance)
    compare("T5's buckets of -2000..2000", bias.bucket(DISTANCES), theirs, 0)


@pytest.mark.parametrize("n_heads", [1, 2, 8, 12, 16, 20, 32, 71, 112])
def test_blooms_alibi(n_heads: int, compare: Compare) -> None:
    theirs = build_alibi_tensor(torch.ones(1, 2048), n_heads, torch.float32)[:, 0].T
    ours = encode(Alibi(n_heads), range(2048))
    powers = 1e-7 * n_heads  # theirs are powers of a float32 slope
    compare("Bloom's ALiBi (relative)", ours, theirs, 2e-7 + powers, relative=True)


@pytest.mark.parametrize("d_model", [512, 64, 7])
def test_marians_sinusoids(d_model: int, compare: Compare) -> None:
    theirs = MarianSinusoidalPositionalEmbedding(1024, d_model).create_weight()
    ours = encode(Sinusoidal(d_model, layout="concatenated"), range(1024))
    compare("Marian's sinusoids", ours, theirs, 2e-7)


@pytest.mark.parametrize("d_model", [1024, 64, 7])
def test_m2m100s_sinusoids(d_model: int, compare: Compare) -> None:
    """Their angles are float32: off by their rounding, and by that of the frequencies' logarithm."""
    theirs = M2M100SinusoidalPositionalEmbedding.get_embedding(1026, d_model)
    ours = encode(Sinusoidal(d_model, layout="concatenated", spacing="tensor2tensor"), range(1026))
    angles = np.arange(1026)[:, None]
    compare("M2M100's sinusoids", ours, theirs, 3e-7 + 2.5e-7 * angles)
