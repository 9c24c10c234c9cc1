"""The words that may stand behind a share: each says that so much of a step is done, and nothing else."""

from __future__ import annotations

_DONE = """
    added answered applied arranged assembled assigned backed baked bought booked built called carved checked chosen
    cleaned coded collected complete completed composed configured confirmed connected contacted converted cooked copied
    counted delivered deployed designed documented done drafted drawn dug edited entered examined exported fetched filed
    filled filmed finalised finalized finished fitted fixed found framed glued graded handed harvested hired hung
    implemented imported informed inspected installed interviewed invited knitted labelled labeled laid loaded made
    mailed mapped marked measured merged migrated mounted moved mown numbered ordered organised organized packed paid
    painted phoned picked placed planted plastered plotted posted prepared pressed printed processed produced
    programmed proofread published put read ready received recorded recruited refactored registered renovated repaired
    replaced restored reviewed sanded scanned screwed sealed searched selected sent served sewn shipped
    shopped signed sketched sold sorted stitched stored submitted taught tested tidied tiled trained transcribed
    translated transported typed unpacked updated uploaded validated varnished verified visited washed watered weeded
    welded wired woven written
    abgeschlossen aufgebaut bemalt bestellt bezahlt eingebaut eingeladen erledigt fertig gebaut gebucht gedruckt
    gefunden gekauft geklebt gelesen geliefert gemacht gepackt gereinigt geschafft geschickt geschliffen geschrieben
    getestet installiert montiert repariert sortiert verschickt verteilt
"""
DONE_WORDS = frozenset(_DONE.split())
