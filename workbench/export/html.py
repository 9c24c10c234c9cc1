"""A session as one page of HTML that holds all it needs: no script, no network, no file beside it.

Everything of a session is untrusted, whoever sent it. Two things stand between its texts and a browser: the template
escapes whatever it prints, Markdown excepted, which is laid out by ``prose.as_html``; and the policy, which names the
style sheet by its hash, forbids the page whatever it does not hold, scripts, pictures, forms and styles in attributes
among it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from workbench.domain.log.envelope import Event
from workbench.domain.log.rules import told as rules_told
from workbench.domain.loop.convergence import progress, why_stopped
from workbench.domain.plan.change import percent
from workbench.domain.session.state import tokens_tree
from workbench.domain.text.cleaning import clean
from workbench.export.figures import figures_of, headline, tables
from workbench.export.inline import inline
from workbench.export.markdown import of_version, shown_actions, shown_deliverable, shown_markdown
from workbench.export.page import gathered
from workbench.export.prose import as_html
from workbench.export.told import Tell

if TYPE_CHECKING:  # jinja2 is imported by the first page
    from jinja2 import Environment


def session_page(events: Iterable[Event], tell: Tell) -> str:
    """Return a session as an HTML page, the same for the same events. Raises LogDamaged as the fold does."""
    page = gathered(events, tell)
    plan = page.state.plan
    told = figures_of(page.state, plan) if plan else None
    return rendered(
        "session.html.jinja",
        page=page,
        state=page.state,
        headline=headline(told) if told else "",
        tables=tables(told) if told else (),
        actions=shown_actions(page.state),
        of_version=of_version,
        deliverable=shown_deliverable(page.state),
        tokens=tokens_tree(page.state),
        standing={version.seq for version in page.state.versions},
        said=page.said,
        decided=page.decided,
        progress=progress(page.state),
        stopped_because=why_stopped(page.state),
    )


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
        "inline": inline,
        "as_markdown": shown_markdown,
        "percent": percent,
        "moment": lambda stamp: stamp[:19].replace("T", " "),  # to the second, in UTC: a page is read in many places
        "money": _money,
        "rules_told": rules_told,
    }
    return environment


def _visible(value: object) -> object:
    """Return what the template prints with every control and invisible character made visible."""
    from markupsafe import Markup

    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _money(cost: float | None) -> str:
    """Return US dollars; an unknown price is n/a, never 0."""
    return "n/a" if cost is None else f"${cost:,.2f}" if cost >= 0.01 or cost == 0 else f"${cost:.4f}"
