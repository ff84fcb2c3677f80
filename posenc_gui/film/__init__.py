"""Films: a parameter that sweeps, or a position, token or option that plays, as a file of moving pictures."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.film.dialog import FilmDialog
    from posenc_gui.film.job import write_film
    from posenc_gui.film.plan import FILM_FORMATS, FILM_HELP, SECONDS, Film, film_of
else:
    __getattr__ = on_demand(__name__)
