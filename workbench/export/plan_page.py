"""The HTML page: the page to hand out as one file for a browser, with all it needs: no script, no network, no others.

Everything of a session is untrusted, whoever sent it. Two things stand between its texts and a browser: all are escaped
here, the page's Markdown by ``prose.as_html``; and the policy, which names the style sheet by its hash, forbids what it
does not hold, scripts, pictures, forms and styles in attributes among it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from workbench.domain.handout import hand_out
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.references import with_references
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean
from workbench.export.pictures import WIDTH, Bar, Timeline, timeline
from workbench.export.prose import as_html


def plan_page(state: SessionState) -> str:
    """Return the page of a session with a timeline below it. The session has a plan."""
    plan = with_references(state.plan or Plan(title=""))
    style = files("workbench.export").joinpath("plan.css").read_text(encoding="utf-8")
    style_hash = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{style_hash}'; base-uri 'none'; form-action 'none'"
    drawn = timeline(figures(plan))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_text(plan.title or state.name or state.session)}</title>
<style>{style}</style>
</head>
<body>
<main>
{as_html(hand_out(state))}{"" if drawn is None else _figure(drawn)}</main>
</body>
</html>
"""


def _text(text: str) -> str:
    return escape(clean(text))


def _figure(drawn: Timeline) -> str:
    deadline = " The dashed line is the deadline." if drawn.deadline is not None else ""
    shapes = "\n".join(_shapes(drawn))
    return f"""<figure>
<svg viewBox="0 0 {WIDTH + 32} {drawn.height + 6}" role="img" aria-label="Timeline of the steps">
{shapes}
</svg>
<figcaption>Dark bars cannot slip without moving the end; pale ones can, and grey ones wait.{deadline}</figcaption>
</figure>
"""


def _shapes(drawn: Timeline) -> Iterator[str]:
    for tick in drawn.ticks:
        yield f'{_line("tick", tick.x, drawn)}<text x="{tick.x}" y="{drawn.height}">{tick.text}</text>'
    for bar in drawn.bars:
        yield f'<text x="0" y="{bar.y + 12}">{_text(bar.step)}</text>{_bar(bar)}'
    if drawn.deadline is not None:
        yield _line("deadline", drawn.deadline, drawn)


def _line(kind: str, x: float, drawn: Timeline) -> str:
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{drawn.height - 14}"/>'


def _bar(bar: Bar) -> str:
    title = f"<title>{_text(bar.step)} {_text(bar.title)}</title>"
    if bar.kind == "milestone":
        return f'<circle class="milestone" cx="{bar.x + 4}" cy="{bar.y + 8}" r="5">{title}</circle>'
    kind = f"{bar.kind} critical" if bar.is_critical else bar.kind
    return f'<rect class="{kind}" x="{bar.x}" y="{bar.y + 2}" width="{bar.width}" height="12" rx="2">{title}</rect>'
