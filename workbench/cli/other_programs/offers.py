"""``workbench offers``: what other programs offer to change in a plan, and a person's decision."""

from __future__ import annotations

import argparse
from collections.abc import Collection
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
    named = _decide(options, output, session) if options.accept or options.decline else ()
    state = session.state()
    listed = [one for one in state.offers if not named or one.id in named]
    objects = (OfferObject(session=state.session, **msgspec.structs.asdict(one)) for one in listed)
    if output.json_lines(map(msgspec.to_builtins, objects)):
        return 0
    for one in listed:
        if named:
            output.line(f"{one.decided}: {one.id} of {one.client}")
            output.indented(_flat(one.text))
        else:
            _print(session, one, output)
    for said in () if named else state.client_messages:
        output.line(f"{local_time(said.time)}  {said.client} says:")
        output.indented(_flat(said.text))
    if not state.offers and not state.client_messages:
        output.line("No other program offered or said anything here.")
    elif not named and any(not one.decided for one in state.offers):
        output.note(f"Decide with: workbench offers {state.session} --accept O1, or --decline O1 --because TEXT")
    return 0


def _decide(options: argparse.Namespace, output: Output, session: Session) -> Collection[str]:
    """Accept and decline what the options name, all that are named or up to the first that would do something else."""
    require_person("accepted" if options.accept else "declined")  # before anybody is asked
    accepts, declines = (tuple(dict.fromkeys(map(str.upper, given))) for given in (options.accept, options.decline))
    if both := sorted({*accepts} & {*declines}):
        raise UsageError(
            f"{both[0]} cannot be both accepted and declined.", "Nothing was decided: give it to one option."
        )
    escaped = options.because.replace("\\", "\\\\").replace('"', '\\"')
    because = f' "{escaped}"' if escaped else ""
    commands = {one: f"{one} accept" for one in accepts} | {one: f"{one} decline{because}" for one in declines}
    shown = {one: session.preview_edit(command) for one, command in commands.items()}
    for name in () if output.as_json else accepts:
        for line in (*shown[name].notes, *shown[name].done):
            output.indented(_flat(line))
    if accepts and not (options.yes or output.asks(f"Accept {', '.join(accepts)}?")):
        raise UsageError("Nothing was decided.", "Say --yes where nobody can be asked.")
    for name, command in commands.items():
        if name in accepts and session.preview_edit(command).done != shown[name].done:
            hint = f"It was not accepted; look at it again: workbench offers {session.id}"
            raise UsageError(f"{name} would do something different now that the others are accepted.", hint)
        session.edit(command)
    return commands


def _flat(text: str) -> str:
    """Return a client's text on one line, so that it looks like no other line."""
    return clean_name(" ⏎ ".join(filter(None, map(str.strip, text.splitlines()))), MOST_OF_AN_OFFER)


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
