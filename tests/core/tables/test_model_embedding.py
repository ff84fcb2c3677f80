"""The embedding of a model's tokens is found beside its tokenizer, and only the rows of a sentence are read."""

import numpy as np
import pytest
from safetensors_bench import write

from posenc_core.tables import embedding_rows

NUMBERS = np.arange(40.0).reshape(10, 4).astype("<f4")


@pytest.mark.parametrize(
    "name",
    ["wte.weight", "transformer.wte.weight", "model.embed_tokens.weight", "bert.embeddings.word_embeddings.weight"],
)
def test_the_embedding_is_found_by_its_name(tmp_path, name):
    others = {"wpe.weight": ("F32", NUMBERS), "lm_head.weight": ("F32", NUMBERS), "embed_tokens.bias": ("F32", NUMBERS)}
    write(tmp_path / "model.safetensors", {**others, name: ("F32", NUMBERS + 1)})
    rows = embedding_rows(tmp_path, 10)
    assert rows.label == f"model.safetensors: {name}"
    assert isinstance(rows.entries, np.memmap)
    assert np.array_equal(rows.read(np.array([7, 2, 7]), np.arange(4)), NUMBERS[[7, 2, 7]] + 1)


def test_a_folder_without_an_embedding_has_none(tmp_path):
    assert embedding_rows(tmp_path, 10) is None
    write(tmp_path / "model.safetensors", {"wpe.weight": ("F32", NUMBERS)})
    assert embedding_rows(tmp_path, 10) is None


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "a" / "model.safetensors", {"wte.weight": ("F32", NUMBERS)})
    (tmp_path / "b" / "model.safetensors").symlink_to(tmp_path / "a" / "model.safetensors")
    assert embedding_rows(tmp_path / "b", 10) is None


def test_an_embedding_of_another_model_is_refused(tmp_path):
    write(tmp_path / "model.safetensors", {"wte.weight": ("F32", NUMBERS)})
    with pytest.raises(ValueError, match=r"has 10 rows, the tokenizer has ids up to 10: they belong to different mod"):
        embedding_rows(tmp_path, 11)


def test_a_damaged_file_is_refused_in_a_sentence(tmp_path):
    whole = write(tmp_path / "model.safetensors", {"wte.weight": ("F32", NUMBERS)})
    (tmp_path / "model.safetensors").write_bytes(whole[:-4])
    with pytest.raises(ValueError, match="cannot be opened"):
        embedding_rows(tmp_path, 1)
