"""The setting for a CPU stays below 1 GB: Binder has 2 GB, for a server and a kernel."""

import json
import os
import subprocess
import sys

import pytest

GB = 10**9

# As many pairs as Multi30k's, of words that fill the vocabulary; fewer steps, which take no less.
PROGRAM = """
import json
import random
import re

import transformer
from transformer_workbook.lessons import translation

translation.hardware.memory = lambda: 2 << 30
whole = translation.TokenBatches.__call__
translation.TokenBatches.__call__ = lambda self, epoch: whole(self, epoch)[:60]

chance = random.Random(0)
syllables = [first + second for first in "bdfgklmnprst" for second in ("a", "e", "i", "o", "un")]
words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(12_000)]
rank = [1 / (1 + place) for place in range(len(words))]

def pairs(count):
    rows = [chance.choices(words, rank, k=min(int(chance.gammavariate(9, 1.4)) + 2, 40))
            for _ in range(count)]
    return [(" ".join(row), " ".join(reversed(row))) for row in rows]

corpus = translation.Corpus("made up", pairs(29_000), pairs(1_014), pairs(1_000))
setting = translation.choose(translation.detect("cpu"), "cpu")
parts = translation.Parts.of_module(transformer)
outcome = translation.train(corpus, setting, parts, "run", quiet=True)
longest = sorted(corpus.test, key=lambda pair: -len(pair[0]))[:100]
outcome.translator.bleu(longest, parts.beam_search, beam_size=setting.beam_size)
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) << 10
print(json.dumps({"peak": peak, "vocabulary": len(outcome.translator.subwords)}))
"""


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_the_cpu_setting_trains_and_translates_in_less_than_a_gigabyte(tmp_path):
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=900,
        cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["vocabulary"] == 4000, "the words fill it, as real ones do"
    print(f"peak memory {found['peak'] / GB:.2f} GB")
    assert found["peak"] < GB
