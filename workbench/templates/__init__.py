"""Templates: what people who know a kind of work do in it, chosen by the person, and never guessed.

    builtin/*.toml · a person's templates/ · a team's ─▶ Catalogue ─ranking─▶ chosen by the person
                                                                                   │ Begin
    own steps · commands ──────────────────────────────────────────────────────────┴▶ first_plan ─▶ Plan

It is the planner without a model: it makes no sentences, and no line of a plan that nobody picked or typed.
"""
