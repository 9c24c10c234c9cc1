"""Small words of English, which name nothing."""

from __future__ import annotations

_SMALL = """
    a about above across after again against ahead all almost alone along already also although always am among an
    and another any anybody anyone anything are aren't around as ask at away back be because been before behind
    being below beside besides best better between beyond both but by can can't cannot could couldn't did didn't do
    does doesn't doing don't done down during each early either else enough even ever every everybody everyone
    everything except far few first for from further get good got had half has hasn't have haven't having he help
    her here hers him his how however i i'd i'll i'm i've if in including inside instead into is isn't it it's its
    itself just keep kept last late later least leave less let let's like little long lot made make many may maybe
    me might mine more most much must mustn't my myself near need needs never new next no nobody none nor not
    nothing now of off often old on once one only onto open or other others our ours out outside over own past per
    perhaps please quite rather ready really same second shall she should shouldn't since so some somebody someone
    something soon still such than thank that that's the their them then there there's therefore these they they're
    thing things this those though three through throughout till time to today together tomorrow too toward towards
    two under unless until up upon us use used using very via want wants was wasn't way we we'd we'll we're we've
    well were what what's when where whether which while who who's whole whom whose why will with within without
    won't would wouldn't year yet you you're your yours
"""
SMALL = frozenset(_SMALL.split())
