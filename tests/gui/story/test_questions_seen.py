"""Each question is answered by what is seen: its panels paint what the answer speaks of, without the answer's text."""

import json

import pytest
from pixels import pixels_of, settle, window_words
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from window_bench import control

from posenc_gui.story.questions_dialog import questions

SEEN: dict[int, dict[str, tuple[str, ...]]] = {
    1: {"ways": ("70.279", "45.9296", "cos, sin", "turn", "values: off by −24.3495")},
    2: {"tokens": ("W_e", "+ PE", "= sum", "W_e | PE")},
    3: {
        "waves": ("sin", "cos"),
        "lens": ("pair 0 · columns 0, 1", "pair 1 · columns 2, 3"),
        "shift": ("without cosines", "with cosines", "10⁻¹⁶", "0.84 at rows held out"),
    },
    4: {"spectrum": ("A base 10,000", "54,410", "B base 500,000", "2,559,196")},
    5: {"heatmap": ("fast", "slow"), "waves": ("col 5 · pair 2 ·",)},
    6: {"heatmap": ("fast", "slow"), "waves": ("· λ 54,410.1",)},
    7: {"waves": ("col 6 · pair 3 ·",)},
    8: {"difference": ("A as GPT-2's, untrained", "B sinusoids", "A − B")},
    9: {"ways": ("shifts: score stays", "q alone rotated: 29.2357")},
    10: {
        "lens": ("q turned", "row of B", "q + B", "0.0796", "length unchanged (2)", "q + B: "),
        "difference": ("A RoPE", "B sinusoids", "A − B"),
    },
    11: {
        "spectrum": ("L′ 16,384",),
        "unseen": ("18 of 64 pairs unseen", "17 of 64 pairs unseen", "0 of 64 pairs unseen"),
    },
    12: {"unseen": ("29 of 64 pairs unseen at 131,072", "unseen from 65,537")},
    13: {"spectrum": ("A NTK-by-parts, present", "B the code's ramp")},
    14: {
        "precision": (
            "769 of 4,096 positions remain distinct",
            "None of the seven engines computes it this way.",
            "1.994",
        )
    },
    15: {"unseen": ("never seen", "18 of 64 pairs unseen at 16,384", "unseen from 4,097", "always within range")},
    16: {"scores": ("q = k = ones", "independent normal q and k", "RoFormer's bound", "first negative 1,707")},
    17: {"drift": ("pair 4 and 5 more off from position 7",)},
    18: {"cache": ("base 14,523", "base now 30,528")},
    19: {
        "drift": ("pair 27 off from position 190",),
        "scores": ("A as trained", "B YaRN ×4"),
        "spectrum": ("B YaRN ×4",),
    },
    20: {"lens": ("passing", "turning", "pair 1 · columns 1, 13", "−5.8", "8.94")},
    21: {"heatmap": ("fast", "slow")},
    22: {"tokens": ("W_e", "−0.65", "+ PE", "502.00", "= sum", "501.35"), "waves": ("500", "563")},
    23: {"lens": ("q", "q turned", "Your q; length unchanged (14.28)", "pair 0, columns 0 and 1: 5 rad")},
    24: {},
    25: {"difference": ("A right", "B from a program", "A 0.5403, B 0.9504, A − B −0.4101")},
}
"""Words that the panels of each question must paint, without the bar of the answer."""


def test_the_wide_sinusoids_beside_a_learned_table_are_in_halves():
    (question,) = (each for each in questions() if each.number == 8)
    sinusoids = question.start.document.encodings[1].encoding
    assert sinusoids.in_halves() == sinusoids, "columns in turns would share pixels and make stripes"


def click_button(window, name: str) -> None:
    QTest.mouseClick(control(window, name), Qt.MouseButton.LeftButton)
    settle()


@pytest.mark.one_of(8)
@pytest.mark.parametrize("question", questions(), ids=lambda question: question.number)
def test_the_panels_of_a_question_show_what_its_answer_speaks_of(qtbot, window, question):
    window.commands.story.open_question(question.number)
    settle()
    for name, wanted in SEEN[question.number].items():
        assert name in window.workspaces.seen
        panel = window.panels[name]

        def missing(panel=panel, wanted=wanted) -> list[str]:
            painted = " ".join(each.text for each in window_words(panel)).replace("\u00a0", " ")
            return [each for each in wanted if each not in painted]

        qtbot.waitUntil(lambda missing=missing: not missing())


def test_the_list_names_every_question():
    assert set(SEEN) == {question.number for question in questions()}


def test_going_home_from_a_question_shows_the_panels_of_the_workspace_again(window):
    before = window.workspaces.seen
    window.commands.story.open_question(3)
    settle()
    assert set(window.workspaces.seen) == {"waves", "lens", "shift"}
    click_button(window, "Back to my sentence")
    assert window.workspaces.seen == before


def test_the_keys_to_write_follow_the_target_length_and_are_copied(window):
    window.commands.story.open_question(11)
    settle()
    assert '"factor": 4.0' in control(window, "answer").text()
    click_button(window, "Copy keys")
    assert json.loads(QGuiApplication.clipboard().text())["rope_scaling"]["factor"] == 4.0
    window.store.edit("target_length", 32768)
    settle()
    click_button(window, "Copy keys")
    written = json.loads(QGuiApplication.clipboard().text())["rope_scaling"]
    assert (written["rope_type"], written["factor"]) == ("yarn", 8.0)
    assert written["original_max_position_embeddings"] == 4096
    tip = control(window, "Copied").toolTip()
    window.store.edit("family", "sinusoidal")
    click_button(window, "Copy keys")
    assert "rotates nothing" in control(window, "Copy keys").toolTip()
    window.store.undo()
    settle()
    assert control(window, "Copy keys").toolTip() == tip


def test_what_a_model_does_is_answered_by_a_card_with_buttons_for_models_and_presets(window):
    window.commands.story.open_question(24)
    settle()
    assert window.model_dock.isVisible()
    painted = " ".join(each.text for each in window_words(window.model_dock))
    assert "27 of 36 layers" in painted
    assert "9 of 36 layers" in painted
    for words in ("Open model…", "Presets…"):
        assert control(window, words).isVisible()


def test_residuals_with_and_without_cosines_are_two_lines(window):
    window.commands.story.open_question(3)
    settle()
    (plot,) = window.panels["shift"].figure.view().plots
    assert [line.name for line in plot.lines] == ["without cosines", "with cosines"]
    assert plot.lines[0].y.max() > 0.8
    assert plot.lines[1].y.max() < 1e-14


def test_the_score_with_q_alone_is_drawn_over_the_shift_only_if_asked(window):
    window.commands.story.open_question(9)
    settle()
    panel = window.panels["ways"]
    with_line = pixels_of(panel.view)
    assert panel.figure.view().ways.alone[10] == pytest.approx(29.2357, abs=1e-4)
    window.store.edit("query_alone", False)
    assert (pixels_of(panel.view) != with_line).any()
    assert panel.figure.view().ways.alone is None


def test_the_lines_with_and_without_cosines_are_named_in_the_picture(window):
    window.commands.story.open_question(3)
    settle()
    painted = {each.text for each in window_words(window.panels["shift"])}
    assert {"without cosines", "with cosines"} <= painted
