"""T5's buckets by logarithms in float32, as torch computes them, beside the exact ones."""

import math

import numpy as np
import pytest

from posenc_core import T5Bias, identify


def rounded_buckets(distances: np.ndarray, n_sided: int, max_distance: int) -> np.ndarray:
    """Buckets of one sign as in transformers' ``_relative_position_bucket``: float32 logarithms, truncated."""
    exact = n_sided // 2
    shares = np.log(np.maximum(distances, 1).astype(np.float32) / np.float32(exact))
    far = exact + (shares / np.float32(math.log(max_distance / exact)) * np.float32(n_sided - exact)).astype(np.int64)
    return np.where(distances < exact, distances, np.minimum(far, n_sided - 1))


@pytest.mark.parametrize("num_buckets", [8, 16, 32, 64, 128, 256, 320])
@pytest.mark.parametrize("is_both", [True, False])
def test_logarithms_in_float32_have_the_exact_buckets_for_usual_values(num_buckets, is_both):
    distances = np.arange(4097)
    for max_distance in (32, 64, 100, 128, 200, 256, 512, 800, 1024, 2048, 4096):
        n_sided = num_buckets // (1 + is_both)
        if max_distance > n_sided // 2:
            meant = T5Bias(num_buckets, max_distance, is_both)
            np.testing.assert_array_equal(meant.bucket(-distances), rounded_buckets(distances, n_sided, max_distance))


def test_biases_by_float32_buckets_are_named():
    learned, places = np.random.default_rng(3).normal(size=(4, 32)), np.arange(200)
    apart = places[:, None] - places
    biases = learned[:, rounded_buckets(np.maximum(apart, 0), 32, 128)]
    finding = identify(biases.astype(np.float32))
    assert (finding.is_right, finding.encoding.family) == (True, "t5")
    assert (finding.encoding.num_buckets, finding.encoding.max_distance) == (32, 128)
