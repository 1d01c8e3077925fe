"""From sentences to a translation model, around the student's own components (lesson 11)."""

from .batches import TokenBatches, padding_of
from .config import CONFIGS, Config, choose
from .corpus import Corpus, NoCorpus, find_corpus, multi30k, numbers
from .hardware import Hardware, detect
from .run import Outcome, Parts, linear_rate, minutes, train
from .subwords import Subwords
from .translator import Bleu, Translator, bleu

__all__ = [
    "CONFIGS",
    "Bleu",
    "Config",
    "Corpus",
    "Hardware",
    "NoCorpus",
    "Outcome",
    "Parts",
    "Subwords",
    "TokenBatches",
    "Translator",
    "bleu",
    "choose",
    "detect",
    "find_corpus",
    "linear_rate",
    "minutes",
    "multi30k",
    "numbers",
    "padding_of",
    "train",
]
