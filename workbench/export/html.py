"""Pages of HTML, each of which holds all it needs: no script, no network, no file beside it.

Everything of a session is untrusted, whoever sent it. Two things stand between its texts and a browser: the template
escapes whatever it prints, Markdown excepted, which is laid out by ``prose.as_html``; and the policy, which names the
style sheet by its hash, forbids the page whatever it does not hold, scripts, pictures, forms and styles in attributes
among it.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from workbench.domain.text.cleaning import clean
from workbench.export.prose import as_html

if TYPE_CHECKING:  # jinja2 is imported by the first page
    from jinja2 import Environment


def rendered(template: str, **values: object) -> str:
    """Return a page made from a template, with the style sheet and its hash."""
    style = files("workbench.export").joinpath("session.css").read_text(encoding="utf-8")
    style_hash = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _environment().get_template(template).render(style=style, style_hash=style_hash, **values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("workbench", "export"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "laid_out": as_html,
        "moment": lambda stamp: stamp[:19].replace("T", " "),  # to the second, in UTC: a page is read in many places
    }
    return environment


def _visible(value: object) -> object:
    """Return what the template prints with every control and invisible character made visible."""
    from markupsafe import Markup

    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
