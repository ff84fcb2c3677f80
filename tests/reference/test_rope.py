"""Every kind of scaling against transformers' own functions, and the rotations of Llama and of GPT-J."""

import numpy as np
import pytest
import torch
from comparing import Compare
from public_models import MODELS, PublicModel
from transformers import LlamaConfig
from transformers.models.gptj import modeling_gptj
from transformers.models.llama import modeling_llama

from posenc_core import Rotary, Yarn, encode, frequencies, rope_from_config

SINGLE = 1e-6
"""Relative; transformers computes frequencies in float32, and an exponent's rounding grows with the base."""

ANGLE = 1.5e-7
"""For each radian of the largest angle: transformers multiplies float32 frequencies with float32 positions."""

POSITIONS = range(512)


def test_there_are_twenty_public_configurations_of_every_type() -> None:
    rotaries = [rope_from_config(model.config, model.seq_len, model.layer_type) for model in MODELS]
    kinds = {rotary.scaling.rope_type if rotary.scaling else "default" for rotary in rotaries}
    assert len({model.name for model in MODELS}) >= 20
    assert kinds == {"default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional"}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model.name}-{model.layer_type or 'all'}")
def test_frequencies_and_attention_factors(model: PublicModel, compare: Compare) -> None:
    theirs, factor = model.theirs()
    rotary = rope_from_config(model.config, model.seq_len, model.layer_type)
    kind = rotary.scaling.rope_type if rotary.scaling else "default"
    compare(f"frequencies, {kind} (relative)", frequencies(rotary), theirs, SINGLE, relative=True)
    compare("attention factors (relative)", rotary.attention_factor, factor, 1e-12, relative=True)


def queries(*shape: int) -> torch.Tensor:
    """Numbers between -1 and 1, the same in every run."""
    return 2 * torch.rand(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64) - 1


@pytest.mark.parametrize("rotary", [Rotary(128), Rotary(64, 5e5), Rotary(128, scaling=Yarn(16, 4096))], ids=str)
def test_llamas_rotation(rotary: Rotary, compare: Compare) -> None:
    """Llama's function given exact angles, in float64."""
    x = queries(1, 4, len(POSITIONS), rotary.head_dim)
    angles = torch.outer(torch.tensor(POSITIONS, dtype=torch.float64), torch.tensor(frequencies(rotary)))
    emb = torch.cat((angles, angles), -1)[None]
    cosine, sine = emb.cos() * rotary.attention_factor, emb.sin() * rotary.attention_factor
    theirs, same = modeling_llama.apply_rotary_pos_emb(x, x, cosine, sine)
    assert torch.equal(theirs, same)
    compare("Llama's apply_rotary_pos_emb, float64", rotary.rotate(x.numpy(), POSITIONS), theirs, 1e-12)


def test_llamas_rotation_as_the_model_runs_it(compare: Compare) -> None:
    """The model's cosines and sines in float32: they are off by the rounding of their angles."""
    config = LlamaConfig(hidden_size=512, num_attention_heads=4, max_position_embeddings=512)
    embedding = modeling_llama.LlamaRotaryEmbedding(config)
    x = queries(1, 4, len(POSITIONS), 128).float()
    cosine, sine = embedding(x, torch.tensor(POSITIONS)[None])
    theirs, _ = modeling_llama.apply_rotary_pos_emb(x, x, cosine, sine)
    rotary = Rotary(128)
    tolerance = 3e-7 + ANGLE * len(POSITIONS)
    table = torch.cat((cosine[0, :, :64], sine[0, :, 64:]), -1)
    compare("Llama's cosines and sines, float32", encode(rotary, POSITIONS), table, tolerance)
    compare("Llama's whole rotation, float32", rotary.rotate(x.numpy(), POSITIONS), theirs, 2 * tolerance)


def test_gptjs_rotation(compare: Compare) -> None:
    """Neighbours are pairs, and the columns from rotary_dim on pass through, as in GPT-J 6B."""
    rotary = Rotary(256, pairing="interleaved", rotary_dim=64)
    x = queries(1, len(POSITIONS), 4, 256)
    angles = torch.outer(torch.tensor(POSITIONS, dtype=torch.float64), torch.tensor(frequencies(rotary)))
    turned = modeling_gptj.apply_rotary_pos_emb(x[..., :64], angles.sin()[None], angles.cos()[None])
    theirs = torch.cat((turned, x[..., 64:]), -1).permute(0, 2, 1, 3)
    ours = rotary.rotate(x.permute(0, 2, 1, 3).numpy(), POSITIONS)
    compare("GPT-J's apply_rotary_pos_emb, float64", ours, theirs, 1e-12)


def test_gptjs_sines_and_cosines(compare: Compare) -> None:
    theirs = modeling_gptj.create_sinusoidal_positions(len(POSITIONS), 64)
    order = np.r_[1:64:2, 0:64:2]  # all sines, then all cosines
    ours = encode(Rotary(64, pairing="interleaved"), POSITIONS)[:, order]
    compare("GPT-J's create_sinusoidal_positions, float32", ours, theirs, 3e-7 + ANGLE * len(POSITIONS))
