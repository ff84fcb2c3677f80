"""Families that are registered at run time in files: numbers and pictures of a query, and the export command."""

import json
from pathlib import Path

import numpy as np
import pytest
from made_families import ContentBias, DotOfPlaces, FadingBias, LogBias, RootScaling, registered
from numbers_read import read_csv

from posenc_core import Document
from posenc_gui.cli.export_command import WRITTEN, export
from posenc_gui.export.job import ExportJob, write_files
from posenc_gui.export.numbers import write_numbers
from posenc_gui.export.page import PictureOptions
from posenc_gui.files import presets
from posenc_gui.files.session import open_session, save_session
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import suitable_panels

SENTENCE = "Dan loves icecream very much"
WORDS = SENTENCE.split()
FADING = Document(SENTENCE, seq_len=8).with_encoding(FadingBias(2))


def fading(head, query, key):
    return -(0.5 ** (head + 1)) * abs(query - key) / (1 + max(query, 1))


@pytest.fixture
def kinds():
    with registered(FadingBias, ContentBias, LogBias, DotOfPlaces, RootScaling):
        yield


@pytest.mark.parametrize("query", [None, 2])
def test_csv_has_the_rows_of_the_query(tmp_path: Path, query: int | None) -> None:
    reached = 4 if query is None else query
    document = FADING if query is None else Document(" ".join(WORDS[: query + 1])).with_encoding(FadingBias(2))
    assert write_numbers(document, tmp_path / "vectors.csv", "csv", query=query)
    header, *rows = read_csv(tmp_path / "vectors.csv")
    assert header == ["token", "key - query", "0", "1"]
    assert [(row[0], int(row[1])) for row in rows] == [(WORDS[key], key - reached) for key in range(reached + 1)]
    for key, row in enumerate(rows):
        assert [float(number) for number in row[2:]] == [fading(head, reached, key) for head in range(2)]


@pytest.mark.usefixtures("kinds")
def test_npz_has_the_table_of_the_query_and_the_session_to_make_it_again(tmp_path: Path) -> None:
    write_numbers(FADING, tmp_path / "vectors.npz", "npz", query=4)
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as numbers:
        assert numbers["query"] == 4
        assert numbers["positions"].tolist() == [-4, -3, -2, -1, 0]
        table = [[fading(head, 4, key) for head in range(2)] for key in range(5)]
        assert np.array_equal(numbers["encoding"], np.array(table, np.float32))
        assert Document.from_json(numbers["parameters"].item()) == FADING


@pytest.mark.one_of(3)
@pytest.mark.usefixtures("qapp", "kinds")
@pytest.mark.parametrize("kind", [FadingBias, ContentBias, DotOfPlaces])
def test_every_panel_that_suits_the_family_is_written_for_a_query(kind: type[FadingBias], tmp_path: Path) -> None:
    document = Document(SENTENCE).with_encoding(kind())
    panels = suitable_panels(document)
    assert {"waves", "heatmap", "tokens", "pairs", "gallery", "scorecard"} <= set(panels)
    for query in (4, 1):
        folder = tmp_path / str(query)
        folder.mkdir()
        job = ExportJob(document, Cursor(-1, 0, query=query), {}, panels, ("svg", "csv"), PictureOptions())
        written = {path.stem: path for path in write_files(job, folder, lambda done, path: True)}
        assert set(panels) <= set(written)
    heat = [(tmp_path / query / "heatmap.svg").read_bytes() for query in "41"]
    assert heat[0] != heat[1]


@pytest.mark.usefixtures("qapp", "kinds")
def test_the_command_line_writes_pictures_and_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(["--help"]) == WRITTEN
    helped = capsys.readouterr().out
    assert all(flag in helped for flag in ("--strength", "--reach", "--root", "fading", "log_bias"))
    chosen = ["--sentence", SENTENCE, "--family", "fading", "--strength", "3", "--n-heads", "2"]
    panels = [word for name in ("pairs", "scores", "heatmap", "gallery") for word in ("--panel", name)]
    formats = ["--format", "png", "--format", "npy", "--quiet", "--out", str(tmp_path)]
    assert export([*chosen, *panels, *formats]) == WRITTEN
    names = {Path(line).name for line in capsys.readouterr().out.splitlines()}
    assert names == {"pairs.png", "scores.png", "heatmap.png", "gallery.png", "vectors.npy"}
    table = np.array([[3 * fading(head, 4, key) for head in range(2)] for key in range(5)])
    assert np.load(tmp_path / "vectors.npy") == pytest.approx(table)


@pytest.mark.usefixtures("kinds")
def test_sessions_and_presets_keep_a_registered_family_and_scaling(tmp_path: Path, monkeypatch) -> None:
    scaled = Document(SENTENCE).edited("family", "rotary").edited("scaling", "root").edited("root", 7.0)
    for document in (FADING, Document().with_encoding(LogBias(3, reach=2.5)), scaled):
        save_session(document, tmp_path / "one.json")
        assert open_session(tmp_path / "one.json") == document
    (tmp_path / "presets").mkdir()
    told = {"title": "Mine", "source": "Me", "encoding": {"family": "fading", "n_heads": 3, "strength": 0.5}}
    (tmp_path / "presets" / "mine.json").write_text(json.dumps(told), encoding="utf-8")
    monkeypatch.setattr(presets, "resource", lambda *parts: tmp_path.joinpath(*parts))
    assert presets.preset("mine").encoding == FadingBias(3, strength=0.5)
