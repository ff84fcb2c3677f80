"""The preset of RoPE-ViT against timm's lines for it, which are lifted out of the installed file."""

import math
from typing import Any

import numpy as np
import torch
from axes_presets import cosines_and_sines, preset
from comparing import Compare
from lifted import lift, package, torch_space

ROUNDED = 1.5e-7


class OneDirection:
    """torch, whose random direction of each head is the one that is given, as a share of a whole turn."""

    def __init__(self, turn: float) -> None:
        self._turn = turn

    def __getattr__(self, name: str) -> Any:
        return getattr(torch, name)

    def rand(self, *shape: int, **given: Any) -> Any:
        return torch.full(shape, self._turn, **given)


def test_the_preset_has_the_table_of_timm(compare: Compare) -> None:
    encoding, folder = preset("rope-vit-mixed"), package("timm")
    assert folder is not None
    space = torch_space(torch=OneDirection(encoding.direction_rad / math.tau))
    names = ("init_random_2d_freqs", "get_mixed_freqs", "_rope_layout")
    lift(folder / "layers" / "pos_embed_sincos.py", dict.fromkeys(names), space)
    frequencies = space["init_random_2d_freqs"](encoding.head_dim, 1, 1, encoding.rope_theta, dtype=torch.float64)
    t_x, t_y = (torch.tensor(each) for each in np.divmod(np.arange(196), 14)[::-1])
    sine, cosine = space["get_mixed_freqs"](frequencies, t_x, t_y)[0, 0].chunk(2, dim=-1)
    for ours, theirs in zip(cosines_and_sines(encoding), (cosine, sine), strict=True):
        compare("preset rope-vit-mixed, timm", ours[1:], theirs.numpy(), ROUNDED)
        assert set(np.unique(ours[0])) <= {0.0, 1.0}  # the class token is not turned
