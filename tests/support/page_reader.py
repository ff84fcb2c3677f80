"""Contents of a page, parsed as in a browser: elements, scripts, numbers."""

import base64
import json
from html.parser import HTMLParser
from typing import Any

import numpy as np
from typing_extensions import override

KINDS = {"f4": "<f4", "f8": "<f8", "u1": "u1", "i4": "<i4"}


class PageReader(HTMLParser):
    """The elements of a page by name, with their attributes, and the texts of those with an id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.script = ""
        self._inside = ""
        self.feed(page)

    @property
    def content(self) -> Any:
        """Data that the page's script draws."""
        return json.loads(self.texts["posenc-content"])

    def drawn(self, name: str) -> Any:
        """The record of a panel."""
        (found,) = [each["record"] for each in self.content["drawn"] if each["name"] == name]
        return found

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id") or tag

    @override
    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    @override
    def handle_data(self, data: str) -> None:
        self.texts[self._inside] = self.texts.get(self._inside, "") + data


def numbers(packed: dict[str, str]) -> np.ndarray:
    """The numbers of a page."""
    return np.frombuffer(base64.b64decode(packed["data"]), KINDS[packed["type"]])
