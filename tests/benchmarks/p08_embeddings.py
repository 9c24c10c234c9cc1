"""P8: recall with the extra `embeddings` (MiniLM), and what vectors add where question and answer share no word.

    python -m tests.benchmarks.p08_embeddings --data locomo-dev.json [--own tests/memory/data] [--quick]

The weights are those shipped for embedders that read words in context; they were chosen on LoCoMo and the half ``dev``
of the own set (docs/adr/0009), so that only ``own_test`` is new to them. Baseline: SQLite FTS5 (porter, stop list) in
the same run. Embedding takes minutes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.benchmarks.retrieval import (
    Remembering,
    by_category,
    engine,
    fired,
    lexical_arm,
    locomo,
    mean,
    own,
    paired_gain,
    printed,
    recalls,
    semantic_arm,
)
from workbench.models.embeddings import MiniLM, WordLlama


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--own", type=Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    contextual, static = Remembering(MiniLM()), Remembering(WordLlama())
    conversations = locomo(options.data)[: 1 if options.quick else None]
    ours = own(options.own) + own(options.own / "long_answers") if options.own else []
    halves = {
        f"own_{half}": [scope for scope in ours if scope.half == half][: 2 if options.quick else None]
        for half in ("dev", "test", "long")
    }
    figures: dict[str, object] = {}
    baseline: dict[str, object] = {}
    ok = True
    for name, scopes in {"locomo": conversations, **halves}.items():
        if not scopes:
            continue
        lexical = recalls(scopes, lexical_arm)
        both = recalls(scopes, lambda scope: engine(scope, contextual))
        figures[name] = {
            "questions": len(both),
            "r10": mean(both),
            "gain": paired_gain(both, lexical),
            "by_category": by_category(scopes, both),
            "enough_for_a_prompt": fired(scopes, contextual),
        }
        baseline[name] = {
            "fts5_r10": mean(lexical),
            "vectors_r10": mean(recalls(scopes, lambda scope: semantic_arm(scope, contextual))),
        }
        if name == "locomo":
            ok = ok and mean(both) >= 0.72
        else:
            lexical = recalls(scopes, lexical_arm, "paraphrase")
            for label, embedder in (("minilm", contextual), ("wordllama", static)):
                found = recalls(scopes, lambda scope, e=embedder: engine(scope, e), "paraphrase")
                figures[f"{name}_paraphrase_{label}"] = {"r10": mean(found), "gain": paired_gain(found, lexical)}
                ok = ok and mean(found) - mean(lexical) >= 0.10
            baseline[f"{name}_paraphrase"] = {"fts5_r10": mean(lexical)}
    printed(
        {
            "id": "P8",
            "figures": figures,
            "baseline": baseline,
            "ratio": round(figures["locomo"]["r10"] / baseline["locomo"]["fts5_r10"], 3),
            "bar": {"r10": 0.72, "paraphrase_gain": 0.10},
            "ok": ok,
        }
    )


if __name__ == "__main__":
    main()
