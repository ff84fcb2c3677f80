"""Scripts that draw token pairs have the numbers of the picture, computed here by loops."""

import math

import numpy as np
import pytest

from posenc_core import Document, Rotary
from posenc_core.session import token_vectors
from posenc_gui.look import LIGHT
from posenc_gui.panels import figure_class


@pytest.mark.parametrize("mode", ["ones", "typed", "simulated"])
def test_scores_are_those_of_the_queries_and_keys_in_view(qapp: object, mode: str) -> None:
    document = Document("one two three").with_encoding(Rotary(2)).edited("pair_vectors", mode)
    figure = figure_class("pairs")(LIGHT)
    figure.resize(400, 400)
    figure.show_document(document)
    lines = figure.script().split("colours =")[0].splitlines()
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
