"""Films: a sweeping parameter, a playing position, token or option, or the steps of a lesson, as a file of pictures."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.film.dialog import FilmDialog
    from posenc_gui.film.job import write_film
    from posenc_gui.film.plan import FILM_FORMATS, FILM_HELP, SECONDS, film_of, is_lesson
    from posenc_gui.film.shots import Film
else:
    __getattr__ = on_demand(__name__)
