"""Contents of a film, frame by frame, and its sentences about unsupported contents."""

import json

import numpy as np
import pytest

from posenc_core import Document, Rotary, Sinusoidal, encode
from posenc_gui.film import film_of
from posenc_gui.look import resource
from posenc_gui.model import Cursor

WAVES = Document("one two three", encoding=Sinusoidal(8), seq_len=12)
FIRST_LESSON = resource("lessons", "01-why-not-just-count.json")


def test_a_sweep_of_a_logarithmic_parameter_has_equal_ratios_and_both_ends():
    film = film_of("sweep:base=10..1e5", "waves", WAVES, None, 2.0)
    bases = [shot.document.encoding.base for shot in film.shots]
    assert len(bases) == 40
    assert bases == pytest.approx(np.geomspace(10, 1e5, 40), rel=5e-4)
    assert all(base == float(f"{base:.4g}") for base in bases), "captions show them in full"
    assert film.milliseconds == 50
    assert (bases[0], bases[-1]) == (10, 1e5)
    table = encode(film.shots[7].document.encoding, range(5))
    assert table[3, 2] == pytest.approx(np.sin(3 / bases[7] ** 0.25), abs=1e-6)


@pytest.mark.parametrize("name", ["base", "rope_theta", "rope-theta"])
def test_a_parameter_goes_by_its_names(name):
    film = film_of(f"sweep:{name}=100..10", "waves", WAVES, None, 1.0)
    assert [film.shots[0].document.encoding.base, film.shots[-1].document.encoding.base] == pytest.approx([100, 10])


def test_a_sweep_of_widths_takes_no_odd_ones():
    film = film_of("sweep:head_dim=8..32", "waves", Document(encoding=Rotary(head_dim=8)), None, 1.0)
    widths = [shot.document.encoding.head_dim for shot in film.shots]
    assert widths == sorted(widths)
    assert set(widths) == set(range(8, 33, 2))


def test_an_offset_moves_in_whole_steps_in_both_directions():
    film = film_of("sweep:offset=5..-5", "waves", WAVES, None, 1.0)
    offsets = [shot.document.encoding.offset for shot in film.shots]
    assert (offsets[0], offsets[-1], set(map(type, offsets))) == (5, -5, {int})
    assert offsets == sorted(offsets, reverse=True)


def test_a_play_goes_through_tokens_positions_and_the_option_of_a_panel():
    tokens = film_of("play:tokens", "tokens", WAVES, Cursor(0, 3))
    assert [(shot.cursor.position, shot.cursor.column) for shot in tokens.shots] == [(0, 3), (1, 3), (2, 3)]
    assert tokens.seconds == pytest.approx(2.1)
    positions = film_of("play:position", "waves", WAVES, None, 0.3)
    assert [shot.cursor.position for shot in positions.shots] == [0, 2, 4, 7, 9, 11]
    shifts = film_of("play:k", "shift", WAVES, None)
    values = [shot.document.option(field) for shot in shifts.shots for field in [k_of(shot.document)]]
    assert values == sorted(set(values))
    assert shifts.seconds <= 10


def k_of(document):
    (field,) = [field for field in document.fields if field.name == "shift_k"]
    return field


def test_a_course_that_plays_lasts_at_most_ten_seconds_by_default():
    long = Document("a " * 400, encoding=Sinusoidal(8))
    film = film_of("play:tokens", "tokens", long, None)
    assert film.seconds == 10
    assert len(film.shots) == 200
    assert film.shots[-1].cursor.position == 399
    assert film_of("play:tokens", "tokens", long, None, 20.0).seconds == 20


@pytest.mark.parametrize(
    ("text", "seconds", "sentence"),
    [
        ("sweep:base=0..5", None, "base .rope_theta. must be a finite number > 0, got 0"),
        ("sweep:base=1..nan", None, "base .rope_theta. must be a finite number > 0, got nan"),
        ("sweep:d_model=2..99999999", None, "d_model must be an integer <= 65536, got 99999999"),
        ("sweep:d_model=1.5..3", None, "d_model must be a whole number from 1 to 65536, got .1.5."),
        ("sweep:layout=a..b", None, "the encoding has no number 'layout' that a film can sweep; it has d_model, base"),
        ("sweep:base", None, "a film is sweep:FIELD=FROM..TO, play:position, .* got 'sweep:base'"),
        ("", None, "a film is sweep:FIELD"),
        ("lesson:0", None, "lessons have the numbers 1 to 11, got '0'"),
        ("lesson:12", None, "lessons have the numbers 1 to 11, got '12'"),
        ("lesson:shift", None, "lessons have the numbers 1 to 11, got 'shift'"),
        ("lesson:5", 61.0, "seconds must be"),
        ("play:", None, "a film is sweep:FIELD"),
        ("play:k", None, "Waves does not play 'k'; it plays token, position"),
        ("sweep:base=1..2", 31.0, "a film has at most 600 frames, 30 s, got 620"),
        ("sweep:base=1..2", 5000.0, "seconds must be a finite number > 0 and <= 60, got 5000"),
        ("sweep:base=1..2", -1.0, "seconds must be a finite number > 0 and <= 60, got -1"),
    ],
)
def test_a_film_that_does_not_fit_is_refused_in_one_sentence(text, seconds, sentence):
    with pytest.raises(ValueError, match=sentence) as refused:
        film_of(text, "waves", WAVES, None, seconds)
    assert "\n" not in str(refused.value)


def test_a_sweep_that_an_encoding_refuses_says_so():
    with pytest.raises(ValueError, match="head_dim"):
        film_of("sweep:head_dim=7..9", "waves", Document(encoding=Rotary(head_dim=8)), None)


def test_a_lesson_shows_each_step_before_and_after_its_answer_in_the_panel_of_the_step():
    film = film_of("lesson:1", "", Document(), None)
    lesson = json.loads(FIRST_LESSON.read_text("utf-8"))
    assert film.name == "lesson-1"
    assert film.seconds == len(film.shots)
    shots = iter(film.shots)
    for step in lesson["steps"]:
        predict, shown = step["predict"], next(shots)
        if predict["panel"] not in predict.get("covers", ()) and predict["kind"] != "drawing":
            begun, shown = shown, next(shots)
            assert begun.panel == predict["panel"]
            assert begun.document.sentence == step["start"]["document"]["sentence"]
            reveal = predict["reveal"].items()
            assert not reveal or any(begun.document.value(field) != value for field, value in reveal)
        assert shown.panel == predict["panel"]
        for field, value in predict["reveal"].items():
            assert shown.document.value(field) == value
        if "derivation" in step:
            assert (shown.cursor.position, shown.cursor.column) == tuple(step["derivation"])
    assert next(shots, None) is None


def test_no_frame_before_show_has_a_panel_that_the_lesson_covers():
    folder = resource("lessons")
    for number, path in enumerate(sorted(folder.glob("*.json")), 1):
        steps = json.loads(path.read_text("utf-8"))["steps"]
        told = [each for each in steps if each["predict"]["panel"] in each["predict"].get("covers", ())]
        told += [each for each in steps if each["predict"]["kind"] == "drawing" and each not in told]
        assert len(film_of(f"lesson:{number}", "", Document(), None).shots) == 2 * len(steps) - len(told)


def test_every_lesson_is_a_film_of_at_most_ten_seconds():
    for number in range(1, 12):
        film = film_of(f"lesson:{number}", "", Document(), None)
        assert 4 <= film.seconds <= 10
    assert film_of("lesson:5", "", Document(), None, 20.0).seconds == 20
