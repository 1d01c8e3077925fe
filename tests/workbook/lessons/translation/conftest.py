"""A few made-up sentences as people write them of photographs, and the parts of a small run."""

import dataclasses
import itertools

import pytest

import transformer
from transformer_workbook.lessons import translation
from transformer_workbook.lessons.translation import Corpus, Parts

WHO = {"Ein Mann": "A man", "Eine Frau": "A woman", "Das Kind": "The child", "Ein Hund": "A dog"}
DOES = {"sitzt": "is sitting", "steht": "is standing", "schläft": "is sleeping"}
WHERE = {
    "auf der Wiese": "on the grass",
    "vor dem Haus": "in front of the house",
    "am See": "by the lake",
}


@pytest.fixture(scope="session")
def pairs():
    return [
        (f"{de} {tut} {wo}.", f"{en} {does} {where}.")
        for (de, en), (tut, does), (wo, where) in itertools.product(
            WHO.items(), DOES.items(), WHERE.items()
        )
    ]


@pytest.fixture(scope="session")
def corpus(pairs):
    return Corpus("made up", pairs[:28], pairs[28:32], pairs[32:])


@pytest.fixture
def few_are_enough(monkeypatch):
    monkeypatch.setattr("transformer_workbook.lessons.translation.corpus.FEW", 1)


@pytest.fixture(scope="session")
def parts():
    return Parts.of_module(transformer)


@pytest.fixture(scope="session")
def setting():
    return translation.Config(
        vocabulary=320, num_layers=1, d_model=32, num_heads=2, d_ff=64, dropout=0.1, max_tokens=64,
        epochs=3, warmup=4, averaged=2, max_len=20, beam_size=2,
    )  # fmt: skip


@pytest.fixture
def cpu():
    return dataclasses.replace(translation.detect("cpu"), dtype=None)
