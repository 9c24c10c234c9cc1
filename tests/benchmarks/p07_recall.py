"""P7: recall of the default install's search against SQLite FTS5, on LoCoMo and on the project's own questions.

    python -m tests.benchmarks.p07_recall --data locomo-dev.json [--own tests/memory/data] [--beam chats/100K]
                                          [--quick]

LoCoMo: categories 1 to 4, each conversation searched with the weights that are best on the others and on the half
``dev`` of the own set. Own set: the half ``test`` with the weights as shipped, which have never seen it. BEAM: each
chat with what a long turn gives chosen on the others. Also how often a search says that it found enough for a prompt,
where there is an answer and where there is none.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec.structs import asdict
from tests.benchmarks.retrieval import (
    Remembering,
    beam,
    by_category,
    engine,
    fired,
    left_out,
    left_out_chats,
    lexical_arm,
    locomo,
    mean,
    own,
    paired_gain,
    printed,
    recalls,
    semantic_arm,
    whole_arm,
)
from workbench.memory.ranking import Weights
from workbench.models.embeddings import WordLlama


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--own", type=Path)
    parser.add_argument("--beam", type=Path, help="folder of BEAM's chats of 100,000 tokens, with 1 to 10 in it")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    embedder = Remembering(WordLlama())
    conversations = locomo(options.data)[: 2 if options.quick else None]
    ours = own(options.own) + own(options.own / "long_answers") if options.own else []
    dev, test, long = ([scope for scope in ours if scope.half == half] for half in ("dev", "test", "long"))

    lexical = recalls(conversations, lexical_arm)
    shipped = recalls(conversations, lambda scope: engine(scope, embedder))
    held_out, best = left_out(conversations, dev, embedder, quick=options.quick)
    gain = paired_gain(held_out, lexical)
    ok = mean(held_out) >= 0.70 and gain["mean"] >= 0.06
    figures: dict[str, object] = {
        "locomo": {
            "questions": len(lexical),
            "r10": mean(held_out),
            "gain": gain,
            "r10_as_shipped": mean(shipped),
            "by_category": by_category(conversations, held_out),
            "best_weights": asdict(best),
            "as_shipped": asdict(Weights()),
            "enough_for_a_prompt": fired(conversations, embedder),
        }
    }
    baseline: dict[str, object] = {
        "locomo": {
            "fts5_r10": mean(lexical),
            "vectors_r10": mean(recalls(conversations, lambda scope: semantic_arm(scope, embedder))),
        }
    }
    for half, scopes in (("own_dev", dev), ("own_test", test), ("own_long_answers", long)):
        if scopes:
            by_words, by_meaning = recalls(scopes, lexical_arm), recalls(scopes, lambda s: semantic_arm(s, embedder))
            by_whole = recalls(scopes, lambda s: whole_arm(s, embedder))
            both = recalls(scopes, lambda scope: engine(scope, embedder))
            better = max(by_words, by_meaning, by_whole, key=mean)
            figures[half] = {
                "questions": len(both),
                "r10": mean(both),
                "gain_over_the_better_arm": paired_gain(both, better),
                "by_category": by_category(scopes, both),
                "enough_for_a_prompt": fired(scopes, embedder),
            }
            baseline[half] = {
                "fts5_r10": mean(by_words),
                "fts5_by_category": by_category(scopes, by_words),
                "vectors_r10": mean(by_meaning),
                "whole_r10": mean(by_whole),
            }
            ok = ok and mean(both) >= mean(better)
    if options.beam:
        chats = beam(options.beam)
        arms = {
            "fts5_r10": recalls(chats, lexical_arm),
            "passages_r10": recalls(chats, lambda scope: semantic_arm(scope, embedder)),
            "whole_r10": recalls(chats, lambda scope: whole_arm(scope, embedder)),
        }
        held_out_chats, chosen = left_out_chats(chats, embedder)
        gain_on_chats = paired_gain(held_out_chats, max(arms.values(), key=mean))
        figures["beam"] = {
            "questions": len(held_out_chats),
            "r10": mean(held_out_chats),
            "gain_over_the_better_arm": gain_on_chats,
            "r10_as_shipped": mean(recalls(chats, lambda scope: engine(scope, embedder))),
            "long_after": [weights.long_after for weights in chosen],
            "enough_for_a_prompt": fired(chats, embedder),
        }
        baseline["beam"] = {name: mean(shares) for name, shares in arms.items()}
        ok = ok and gain_on_chats["mean"] >= 0
    printed(
        {
            "id": "P7",
            "figures": figures,
            "baseline": baseline,
            "ratio": round(mean(held_out) / mean(lexical), 3),
            "bar": {"r10": 0.70, "gain": 0.06},
            "ok": ok,
        }
    )


if __name__ == "__main__":
    main()
