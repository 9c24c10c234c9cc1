"""Ten sessions of a tiny random model on a real llama.cpp server, with its grammar: an option by hand (``--llama``).

pip install xllamacpp gguf && pytest tests/models/test_llama.py --llama --timeout 0 -s
"""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.builders import begin, bodies_of
from workbench.bootstrap.models import open_model
from workbench.domain.session import events as say
from workbench.planning.policies import approving_all

SESSIONS = 10
STARTED = 600
"""Seconds that the server may take."""


@pytest.fixture
def llama(request, tmp_path):
    """Serve the tiny model; give its address."""
    if not request.config.getoption("--llama"):
        pytest.skip("an option by hand: --llama")
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    program = [sys.executable, "-m", "tests.models.tiny_llama", str(tmp_path / "tiny.gguf"), "0"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(program, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            address = next(line.strip() for line in server.stdout if line.startswith("http://"))
            yield f"{address}/v1"
        finally:
            server.kill()


@pytest.mark.timeout(0)
async def test_ten_sessions_of_a_weak_model_finish_and_none_is_rejected_for_what_the_schema_could_say(llama):
    model = await asyncio.to_thread(open_model, "openai:tiny-random", base_url=llama, environ={})
    readings = []
    for number in range(SESSIONS):
        begun = time.monotonic()
        manager = await asyncio.to_thread(
            lambda n=number: begin(f"Move our billing by 30 June, plan {n}", model=model, max_iterations=1)
        )
        state = await manager.run(approving_all())
        rejected = [body.message for body in bodies_of(manager, say.ReplyRejected)]
        reading = {
            "status": state.status,
            "seconds": round(time.monotonic() - begun),
            "tokens": state.spent.tokens,
            "rejected": rejected,
            "noted": [body.note for body in bodies_of(manager, say.CallNoted)],
            "retried": [body.reason for body in bodies_of(manager, say.CallRetried)],
            "failed": state.failure.message if state.failure else "",
            "mended": sum(len(body.notes) for body in bodies_of(manager, say.ReplyMended)),
        }
        readings.append(reading)
        print(json.dumps(reading), flush=True)
    assert [reading["status"] for reading in readings] == ["finished"] * SESSIONS
    by_schema = [why for one in readings for why in one["rejected"] if "no document" not in why]
    assert by_schema == [], "a document has no schema; all else is said in one"
