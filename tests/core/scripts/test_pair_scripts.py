"""Scripts that draw token pairs have the numbers of the picture, computed here by loops."""

import math

import numpy as np
import pytest

from posenc_core import Document, Rotary
from posenc_core.scripts import pairs_script
from posenc_core.scripts.plots import Shades
from posenc_core.session import token_vectors


@pytest.mark.parametrize("mode", ["ones", "typed", "simulated"])
def test_scores_are_those_of_the_queries_and_keys_in_view(mode: str) -> None:
    document = Document("one two three").with_encoding(Rotary(2)).edited("pair_vectors", mode)
    marks = [(place, word, "#000000") for place, word in enumerate(["one", "two", "three"])]
    shades = Shades(("#000000", "#ffffff"), -1.0, 1.0)
    lines = pairs_script(document, 0, range(3), range(3), marks, shades).split("colours =")[0].splitlines()
    made: dict[str, np.ndarray] = {}
    exec("\n".join(line for line in lines if "matplotlib" not in line), made)
    content = token_vectors(document)
    queries, keys = np.array([[1.0, 0.0]] * 3), np.array([[1.0, 0.0]] * 3)
    if content is not None:
        queries, keys = content.queries(range(3), 2), content.keys(range(3), 2)
    for i, (a, b) in enumerate(queries):
        for j, (c, d) in enumerate(keys):
            score = (a * c + b * d) * math.cos(i - j) + (a * d - b * c) * math.sin(i - j)
            assert made["scores"][i, j] == pytest.approx(score, abs=1e-12)
