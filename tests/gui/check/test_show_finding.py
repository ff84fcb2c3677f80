"""A finding in the panels: what was meant as A beside the numbers as B, and the way back."""

import numpy as np
import pytest
from check_bench import TABLE, CheckBench, one_wrong
from window_bench import act, control, shown_panels

from posenc_core import Alibi, Rotary, Sinusoidal
from posenc_gui.files.session import open_session, save_session


@pytest.fixture
def check(window, qtbot):
    return CheckBench(window, qtbot)


def encodings(check):
    return [each.encoding for each in check.window.store.document.encodings]


def test_show_compares_what_was_meant_with_the_numbers_at_the_first_wrong_one(check):
    before = check.window.store.document
    check.paste(one_wrong().tolist())
    check.wait_for("One number is wrong")
    check.press("Show")
    meant, given = encodings(check)
    assert meant == Sinusoidal(8)
    assert np.array_equal(given.values(np.arange(24), np.arange(8)), one_wrong().astype(float))
    assert [each.title for each in check.window.store.document.encodings] == ["meant", "given"]
    assert check.window.store.document.seq_len == 24
    assert check.window.workspaces.current == "compare"
    assert "difference" in shown_panels(check.window)
    cursor = check.window.cursor_control.cursor
    assert (cursor.position, cursor.column, cursor.pinned) == (7, 5, True)
    check.press("Back to my document")
    assert check.window.store.document == before
    assert check.window.workspaces.current == "vectors"
    check.press("Show")
    check.window.store.undo()
    assert check.window.store.document == before


def test_the_present_encoding_stays_the_persons_own_while_a_finding_is_shown(check):
    check.window.store.edit("d_model", 8)
    check.window.store.edit("base", 50.0)
    check.paste(TABLE.tolist())
    check.wait_for("Right")
    check.press("Show")
    check.choose("the present encoding")
    check.wait_for("Asked for: Sinusoidal, d_model 8, base 50")


def test_numbers_that_differ_from_what_was_asked_for_are_b(check):
    check.window.store.edit("base", 50.0)
    check.choose("the present encoding")
    check.paste(TABLE.tolist())
    check.wait_for("Not what was asked for")
    check.press("Show")
    assert encodings(check)[0] == Sinusoidal(8, base=50.0)
    assert np.array_equal(encodings(check)[1].values(np.arange(24), np.arange(8)), TABLE.astype(float))


def test_frequencies_are_shown_as_a_rotation_with_these_frequencies(check):
    given = Rotary(16).frequencies().copy()
    given[3] *= 1.5
    check.paste(given.tolist())
    check.wait_for("One number is wrong: pair 3")
    check.press("Show")
    meant, other = encodings(check)
    assert meant == Rotary(16)
    assert other.frequencies() == pytest.approx(given, rel=1e-12)


def test_biases_and_numbers_of_no_formula_are_shown_alone(check):
    places = np.arange(12)
    check.paste((Alibi(4).values((places - places[:, None]).ravel(), np.arange(4)).T.reshape(4, 12, 12)).tolist())
    check.wait_for("Right. ")
    check.press("Show")
    assert [each.family for each in encodings(check)] == ["alibi"]
    check.paste(np.random.default_rng(0).normal(size=(20, 6)).tolist())
    check.wait_for("Not one of the formulas known here")
    check.press("Show")
    assert [each.family for each in encodings(check)] == ["learned"]
    assert check.window.workspaces.current == "vectors"


def test_a_session_with_given_numbers_opens_while_the_window_knows_them(check, tmp_path):
    check.paste(one_wrong().tolist())
    check.wait_for("One number is wrong")
    check.press("Show")
    shown = check.window.store.document
    save_session(shown, tmp_path / "compared.posenc")
    check.press("Back to my document")
    check.window.open_file(tmp_path / "compared.posenc")
    assert check.window.store.document == shown
    act(check.window, "new")
    assert not control(check.window, "numbers to check").toPlainText()
    with pytest.raises(Exception, match="which a session does not contain"):
        open_session(tmp_path / "compared.posenc")
