"""A tiny model of random words for a real llama.cpp server: protocol, grammar, template and window are real.

    python -m tests.models.tiny_llama MODEL.gguf PORT      makes the file where it is not there, and serves it

It knows twenty words, and takes each as likely after any other. What ends a text, a list or an object is likelier,
as it is for models that were trained: else nothing would ever end. It needs the packages gguf and xllamacpp.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

WINDOW = 65_536
WIDTH = 32
WORDS = "the a plan step goal person risk check cost week day team data move test write read send call end"
"""Fewer than the 40 likeliest tokens that a server looks at by default: the end has to be among those."""
SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?-_/()[]{}\"'\\#<>=*&%$+|@~`^"
WEIGHTS = {'"': 10.0, "]": 4.0, "}": 3.0, ",": 1.0, "\\": 0.01, "\n": 0.02, "\t": 0.001, "\u2581": 0.5}
"""How much likelier a piece is than a word, where a grammar allows both."""
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def make_model(path: Path, seed: int = 1) -> None:
    """Write the model's file."""
    import gguf
    import numpy as np

    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256]
    beginnings = {f"\u2581{word[:length]}" for word in WORDS.split() for length in range(1, len(word) + 1)}
    normal = ["\u2581", *SIGNS, *sorted(beginnings, key=lambda piece: (len(piece), piece))]
    pieces += normal
    kinds += [gguf.TokenType.NORMAL] * len(normal)
    rng = np.random.default_rng(seed)
    count = len(pieces)
    embeddings = rng.normal(size=(count, WIDTH)).astype(np.float32)
    embeddings[:, 0] = 10.0
    weights = np.full(count, 1e-3)
    weights[[pieces.index(f"\u2581{word}") for word in WORDS.split()]] = 1.0
    for place, piece in enumerate(pieces):
        weights[place] = WEIGHTS.get(piece, 0.05 if piece in SIGNS else weights[place])
    weights[: 3 + 256] = 1e-6
    weights[2] = 0.7  # the end
    output = rng.normal(scale=0.1, size=(count, WIDTH)).astype(np.float32)
    output[:, 0] = np.log(weights) / (10.0 / np.sqrt((100.0 + WIDTH - 1) / WIDTH))
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(1)
    writer.add_head_count_kv(1)
    writer.add_rope_dimension_count(WIDTH)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(count)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores(
        [float(len(piece)) if kind == 1 else 0.0 for piece, kind in zip(pieces, kinds, strict=True)]
    )
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)
    tensors = {"token_embd.weight": embeddings, "output.weight": output, "output_norm.weight": np.ones(WIDTH)}
    square = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    tensors |= {f"blk.0.{name}.weight": rng.normal(scale=0.01, size=(WIDTH, WIDTH)) for name in square}
    tensors |= {f"blk.0.{name}.weight": np.ones(WIDTH) for name in ("attn_norm", "ffn_norm")}
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    """Make the model, serve it, and say where."""
    import xllamacpp

    path, port = Path(sys.argv[1]), int(sys.argv[2])
    if not path.exists():
        make_model(path)
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.port = port
    params.n_ctx = WINDOW
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.use_jinja = True
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
