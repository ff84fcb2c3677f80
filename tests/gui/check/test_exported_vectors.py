"""The program's own exported vectors, checked as anybody's numbers."""

from dataclasses import replace

import numpy as np
import pytest
from families import document_of

from posenc_core import Document, Embedding, Sinusoidal, identify
from posenc_gui.check.work import examined
from posenc_gui.export.numbers import write_numbers

SENTENCE = "the cat, sat 2024 “on” … the mat; and # 7 ['x'] = tensor( 12 + b\u2028c"
"""Words that would be numbers, brackets, comments, omissions and ends of lines in a print."""


@pytest.mark.parametrize("format", ["csv", "npz"])
@pytest.mark.parametrize("family", ["sinusoidal", "rope_axes", "shaw", "alibi", "transformer_xl", "integer", "xpos"])
def test_exported_vectors_are_right_numbers_of_their_encoding(family, format, tmp_path):
    document = replace(document_of(family), sentence=SENTENCE)
    write_numbers(document, path := tmp_path / f"vectors.{format}", format)
    finding = identify(path)
    assert (finding.is_right, finding.encoding) == (True, document.encoding)


def test_exported_positions_are_those_of_the_rows(tmp_path):
    """Two rows of one column do not show where they begin."""
    for format in ("csv", "npz"):
        document = Document(sentence="a b c d e f g", encoding=Sinusoidal(2, offset=0))
        write_numbers(document, path := tmp_path / f"vectors.{format}", format)
        if format == "csv":
            path.write_text(path.read_text().replace(",3,", ",4,", 1))
        else:
            with np.load(path) as stored:
                changed = dict(stored) | {"positions": np.array([0, 1, 2, 4, 4, 5, 6])}
            np.savez(path, **changed)
        assert not identify(path).is_right
        assert identify(path, positions=range(7)).is_right, "positions that are asked for come first"


def test_exported_vectors_with_an_embedding_leave_nothing_to_choose(tmp_path):
    document = Document(sentence="a b c d", encoding=Sinusoidal(6), embedding=Embedding("simulated"))
    write_numbers(document, path := tmp_path / "vectors.npz", "npz")
    finding = examined(path, None, None, lambda share: True)
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(6))
