"""Sections of three axes of text before a picture, whose pairs of time do not turn from cell to cell."""

import math

import numpy as np
import pytest

from posenc_core import identify, table

BASE, WIDTH = 1e6, 128


def yarn(theta: np.ndarray, factor: float, length: int) -> tuple[np.ndarray, float]:
    """YaRN's frequencies and attention factor, as in transformers, with beta_fast 32 and beta_slow 1."""
    low, high = (WIDTH * math.log(length / (beta * 2 * math.pi)) / (2 * math.log(BASE)) for beta in (32, 1))
    ramp = np.clip((np.arange(WIDTH // 2) - math.floor(low)) / (math.ceil(high) - math.floor(low)), 0, 1)
    return theta * (1 - ramp) + theta / factor * ramp, 0.1 * math.log(factor) + 1


def angles(rule: str, theta: np.ndarray) -> np.ndarray:
    """Angles ``(34, 64)`` of four tokens and a picture of 5 by 6 cells, whose indices go on from the text's."""
    row, column = np.divmod(np.arange(30), 6)
    text = np.tile(np.arange(4), (3, 1))
    indices = np.concatenate([text, 4 + np.stack([np.zeros(30, int), row, column])], axis=1)
    pairs = np.arange(WIDTH // 2)
    axes = np.repeat([0, 1, 2], [24, 20, 20]) if rule == "sections" else np.where(pairs < 60, pairs % 3, 0)
    return indices[axes].T * theta


@pytest.mark.parametrize("rule", ["sections", "interleaved_sections"])
@pytest.mark.parametrize("scaling", ["none", "yarn", "linear"])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_a_picture_of_one_frame_after_text_is_named(rule, scaling, stored):
    theta, louder = BASE ** (-np.arange(WIDTH // 2) / (WIDTH // 2)), 1.0
    if scaling == "yarn":
        theta, louder = yarn(theta, 4.0, 32768)
    elif scaling == "linear":
        theta = theta / 4
    turned = angles(rule, theta)
    numbers = louder * np.concatenate([np.cos(turned), np.sin(turned)], axis=1)
    finding = identify(numbers.astype(stored))
    assert finding.is_right, finding.sentences
    readings = [each for each in (finding.encoding, *finding.also) if each.parameters().get("rule") == rule]
    found = next(each for each in readings if each.parameters()["scaling"] == scaling)
    assert (found.grid, found.rope_theta) == ("4+5x6", BASE)
    np.testing.assert_allclose(table(found, range(34)), numbers, atol=1e-6)
    if scaling == "yarn":
        assert (found.scaling.factor, found.scaling.original_max_position_embeddings) == (4.0, 32768)
