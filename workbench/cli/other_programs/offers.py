"""``workbench offers``: what other programs offer to change in a plan, and a person's decision."""

from __future__ import annotations

import argparse
from typing import Literal

import msgspec

from workbench.bootstrap.session import Session
from workbench.cli.opening import session_of
from workbench.cli.output import Output, local_time
from workbench.domain.errors import UsageError
from workbench.domain.session.state import Offered
from workbench.domain.text.cleaning import clean_name
from workbench.planning.beside_the_loop.offering import MOST_OF_AN_OFFER
from workbench.planning.trust.person import require_person


class OfferObject(Offered, frozen=True, kw_only=True):
    """A line of ``workbench offers --json``."""

    schema: Literal["workbench.offer/1"] = "workbench.offer/1"
    session: str


def offers(options: argparse.Namespace) -> int:
    """List what is offered, with what it would do; or accept or decline some."""
    output, session = Output.from_options(options), session_of(options)
    because = f' "{_escaped(options.because)}"' if options.because else ""
    if options.accept or options.decline:
        require_person("accepted" if options.accept else "declined")  # before anybody is asked
    accepts, declines = (tuple(dict.fromkeys(map(str.upper, given))) for given in (options.accept, options.decline))
    if both := sorted({*accepts} & {*declines}):
        raise UsageError(
            f"{both[0]} cannot be both accepted and declined.", "Nothing was decided: give it to one option."
        )
    shown = {name: session.preview_edit(f"{name} accept") for name in accepts}
    for name in declines:
        session.preview_edit(f"{name} decline{because}")
    for commanded in () if output.as_json else shown.values():
        for line in (*commanded.notes, *commanded.done):
            output.indented(_flat(line))
    if accepts and not (options.yes or output.asks(f"Accept {', '.join(accepts)}?")):
        raise UsageError("Nothing was decided.", "Say --yes where nobody can be asked.")
    for name in accepts:
        if session.preview_edit(f"{name} accept").done != shown[name].done:
            hint = f"It was not accepted; look at it again: workbench offers {session.id}"
            raise UsageError(f"{name} would do something different now that the others are accepted.", hint)
        session.edit(f"{name} accept")
    for name in declines:
        session.edit(f"{name} decline{because}")
    state = session.state()
    named = {*accepts, *declines}
    decided = [offer for offer in state.offers if offer.id in named]
    if output.as_json:
        for one in decided or state.offers:
            output.json(msgspec.to_builtins(OfferObject(session=state.session, **msgspec.structs.asdict(one))))
        return 0
    for one in decided:
        output.line(f"{one.decided}: {one.id} of {one.client}")
        output.indented(_flat(one.text))
    if decided:
        return 0
    for one in state.offers:
        _print(session, one, output)
    for said in state.client_messages:
        output.line(f"{local_time(said.time)}  {said.client} says:")
        output.indented(_flat(said.text))
    if not state.offers and not state.client_messages:
        output.line("No other program offered or said anything here.")
    elif any(not one.decided for one in state.offers):
        output.note(f"Decide with: workbench offers {state.session} --accept O1, or --decline O1 --because TEXT")
    return 0


def _flat(text: str) -> str:
    """Return a client's text on one line, so that it looks like no other line."""
    return clean_name(" ⏎ ".join(filter(None, map(str.strip, text.splitlines()))), MOST_OF_AN_OFFER)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _print(session: Session, one: Offered, output: Output) -> None:
    output.heading(f"{one.id} · {one.client} · {local_time(one.time)} · {one.decided or 'waits for you'}")
    output.indented(_flat(one.text))
    if one.reason:
        output.indented(f"why: {one.reason}")
    if one.decided:
        if one.note:
            output.line(f"you said: {one.note}")
        return
    try:
        commanded = session.preview_edit(f"{one.id} accept")
    except UsageError as error:
        output.indented(f"cannot be done any more: {_flat(error.message)}")
    else:
        for line in (*commanded.notes, *commanded.done):
            output.indented(f"→ {_flat(line)}")
