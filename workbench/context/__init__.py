"""What a model is shown: gathered, fitted, condensed.

    a view, and what was recalled ──gather──▶ Bundle: what is shown, and a ledger of it
    its entries ──condense──▶ fewer of them, and a receipt; ``expand`` is the way back

All of it is pure: no input or output, no clock, no model. So a replay, or an audit years later, shows the same.
"""
