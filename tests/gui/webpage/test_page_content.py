"""Contents of a page: the core's numbers, the lines of the panels, the session, and no foreign markup."""

import re

import numpy as np
import pytest
from page_reader import PageReader, numbers

from posenc_core import ENCODINGS, Document, Rotary, Sinusoidal, encode, tile
from posenc_core.tables import Cancelled
from posenc_gui.files import FileError, open_session, preset, recognized
from posenc_gui.model import Cursor, seen_by
from posenc_gui.panels import spec_of
from posenc_gui.webpage import page_panels, page_text, write_page
from posenc_gui.webpage.mathml import formula_of

DOCUMENT = Document("Dan loves icecream", encoding=Sinusoidal(8), seq_len=20)
HOSTILE = "</script><img src=x onerror=alert(1)> <!--<script> &lt;b&gt; {{script}} \u2028"


def test_the_table_is_the_core_s():
    page = PageReader(page_text(DOCUMENT)).content
    assert (page["table"]["rows"], page["table"]["columns"], page["table"]["isMean"]) == (20, 8, False)
    values = numbers(page["table"]["values"]).reshape(20, 8)
    assert (values == DOCUMENT.encoding.values(np.arange(20), np.arange(8))).all()
    assert page["columns"]["words"][3] == "column 3 (pair 1, cos)"
    assert numbers(page["columns"]["pairs"]).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [each["text"] for each in page["tokens"]] == ["Dan", "loves", "icecream"]


def test_a_larger_table_is_exact_means_and_says_so():
    document = Document("a b", encoding=Sinusoidal(600), seq_len=5000)
    page = PageReader(page_text(document, Cursor(1, 3))).content
    assert page["table"]["isMean"]
    means = numbers(page["table"]["values"]).reshape(512, 512)
    assert means == pytest.approx(tile(document.encoding, (0, 5000), (0, 600), (512, 512)), abs=3e-7)
    assert page["notes"][0].startswith("The table has 5,000 × 600 numbers, more than 512 × 512: Heatmap shows the")
    assert page["derivations"]["exact"]["1,3"] == document.encoding.values(np.array([1]), np.array([3]))[0, 0]


def test_waves_and_lines_are_those_of_the_panels():
    document = preset("llama-3.1-8b", Document())
    reader = PageReader(page_text(document, panels=("waves", "spectrum", "scores")))
    waves = reader.drawn("waves")
    assert len(waves["columns"]) == 32
    for group in waves["lines"]:
        x, y = (numbers(group[name]).reshape(len(group["columns"]), -1) for name in "xy")
        for column, places, heights in zip(group["columns"], x, y, strict=True):
            pair = column % 64
            wave = np.sin if column >= 64 else np.cos
            assert heights == pytest.approx(wave(places * document.encoding.frequencies()[pair]), abs=1e-6)
    for record in reader.content["lines"]:
        plots = spec_of(record["name"]).part("plots").plots(document)
        for plot, own in zip(plots, record["plots"], strict=True):
            assert [each["name"] for each in own["lines"]] == [line.name for line in plot.lines]
            for line, drawn in zip(plot.lines, own["lines"], strict=True):
                assert np.array_equal(numbers(drawn["y"]), line.y, equal_nan=True)


def test_an_embedding_adds_rows_to_the_tokens():
    document = DOCUMENT.edited("embedding", "simulated")
    record = PageReader(page_text(document)).drawn("tokens")
    assert record["names"] == ["W_e", "+ PE", "= sum"]
    rows = numbers(record["values"]).reshape(3, 3, 8)
    assert (rows[:, 1] == document.encoding.values(np.arange(3), np.arange(8))).all()
    assert (rows[:, 2] == rows[:, 0] + rows[:, 1]).all()


@pytest.mark.parametrize("family", ENCODINGS)
def test_every_family_has_a_page_with_derivations(family):
    document = DOCUMENT.edited("family", family)
    reader = PageReader(page_text(document))
    assert len(reader.content["drawn"]) == 3
    derivations = reader.content["derivations"]
    assert derivations["cells"]
    assert all(line[1] >= 0 for line in derivations["lines"]), "each formula is typeset"
    cell, lines = next(iter(derivations["cells"].items()))
    position, column = map(int, cell.split(","))
    derivation = seen_by(document, None).encoding.explain(position, column)
    assert derivation.steps[-1].text == derivations["lines"][lines[-1]][0]


def test_a_template_with_its_numbers_is_the_formula():
    for latex in (r"\frac{2 \cdot 3}{8} = 0.75", r"10000^{0.75}", r"x^12", r"\lfloor 7/2 \rfloor = 3", r"\text{a<b} 5"):
        shown = formula_of(latex).mathml
        assert "‹" not in shown
        assert [*re.findall(r"\d+(?:\.\d+)?", re.sub(r"<[^>]*>", " ", shown))], latex
    assert "<mn>0.75</mn>" in formula_of(r"10000^{0.75}").mathml
    assert formula_of(r"\text{a<b>&lt;i&gt;}").mathml.count("<b>") == 0
    assert formula_of("3 + 4").template == formula_of("5.5 + 61").template
    with pytest.raises(ValueError, match="not correct LaTeX"):
        formula_of(r"\frac{1}{")


def test_hostile_texts_stay_texts():
    document = DOCUMENT.edited("sentence", HOSTILE).named(name="<script>alert(2)</script>")
    reader = PageReader(page_text(document))
    plain = PageReader(page_text(DOCUMENT))
    assert [tag for tag, _ in reader.elements] == [tag for tag, _ in plain.elements]
    assert "".join(each["text"] for each in reader.content["tokens"]).startswith("</script><img")
    assert "<script>alert(2)</script>" in reader.content["caption"]
    attributes = {name for _, each in reader.elements for name in each}
    assert not {name for name in attributes if name.startswith("on")} | attributes & {"src", "href"}


def test_the_policy_of_the_page_allows_no_request(tmp_path):
    (policy,) = [each["content"] for tag, each in PageReader(page_text(DOCUMENT)).elements if "http-equiv" in each]
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_a_page_opens_as_its_session(tmp_path):
    document = DOCUMENT.edited("sentence", HOSTILE)
    write_page(document, tmp_path / "page.html")
    assert open_session(tmp_path / "page.html") == document
    assert recognized(tmp_path / "page.html").kind.value == "session"


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("<!doctype html><p>hello", "this page carries no PosEnc session"),
        ('<!DOCTYPE html><script id="posenc-session">{"format"', "truncated in the middle of its session"),
        ('<!doctype html><script id="posenc-session">{}</script>', "page.html"),
    ],
)
def test_other_pages_are_refused_in_a_sentence(tmp_path, page, sentence):
    (tmp_path / "page.html").write_text(page)
    with pytest.raises(FileError, match=sentence):
        open_session(tmp_path / "page.html")


def test_panels_that_do_not_suit_are_refused():
    assert page_panels(DOCUMENT) == ("waves", "heatmap", "tokens", "spectrum")
    assert page_panels(DOCUMENT, ("shift", "tokens", "waves")) == ("waves", "tokens")
    with pytest.raises(FileError, match="a page shows Waves, Heatmap, Tokens, Spectrum and Scores by distance: choose"):
        page_panels(DOCUMENT, ("shift",))
    with pytest.raises(FileError, match="Scores by distance need"):
        page_panels(DOCUMENT, ("scores",))


def test_a_table_without_a_number_and_a_full_disk_leave_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(Sinusoidal, "values", lambda *_: np.full((20, 8), np.nan))
    with pytest.raises(FileError, match="no finite number"):
        write_page(DOCUMENT, tmp_path / "page.html", panels=("heatmap",))
    monkeypatch.undo()
    with pytest.raises(FileError, match=r"/dev/full|cannot write"):
        write_page(DOCUMENT, tmp_path / "missing" / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_page_leaves_the_older_file(tmp_path):
    (tmp_path / "page.html").write_text("older")
    for last in (0.05, 0.2, 0.7):
        with pytest.raises(Cancelled):
            write_page(DOCUMENT, tmp_path / "page.html", progress=lambda done, last=last: done < last)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.html", "older")]


def test_the_same_page_twice_is_the_same_bytes():
    document = Document("a b c", encoding=Rotary(16))
    assert page_text(document) == page_text(document)


def test_some_columns_alone():
    page = PageReader(page_text(DOCUMENT, columns=range(2, 4))).content
    values = numbers(page["table"]["values"]).reshape(20, 2)
    assert values == pytest.approx(encode(DOCUMENT.encoding, range(20), range(2, 4)), abs=1e-6)
    assert (page["columns"]["first"], page["columns"]["count"]) == (2, 2)
