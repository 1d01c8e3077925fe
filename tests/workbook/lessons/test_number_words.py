"""Number words: right on both sides, read back by parsers that were written independently."""

import itertools

import pytest
import torch

from transformer_workbook.lessons.number_words import words as nw

# A number for each word and each rule; the parsers read back all others.
GERMAN = {
    1: "eins",
    7: "sieben",
    11: "elf",
    12: "zwölf",
    16: "sechzehn",
    17: "siebzehn",
    21: "einundzwanzig",
    31: "einunddreißig",
    66: "sechsundsechzig",
    99: "neunundneunzig",
    616: "sechshundertsechzehn",
    1100: "eintausendeinhundert",
    12_012: "zwölftausendzwölf",
    16_000: "sechzehntausend",
    21_021: "einundzwanzigtausendeinundzwanzig",
    101_101: "einhunderteintausendeinhunderteins",
    317_330: "dreihundertsiebzehntausenddreihundertdreißig",
    999_999: "neunhundertneunundneunzigtausendneunhundertneunundneunzig",
}

ENGLISH = {
    0: "zero",
    12: "twelve",
    13: "thirteen",
    15: "fifteen",
    18: "eighteen",
    21: "twenty-one",
    44: "forty-four",
    99: "ninety-nine",
    725: "seven hundred twenty-five",
    1100: "one thousand one hundred",
    12_012: "twelve thousand twelve",
    21_021: "twenty-one thousand twenty-one",
    101_000: "one hundred one thousand",
    999_999: "nine hundred ninety-nine thousand nine hundred ninety-nine",
}


@pytest.mark.parametrize(("n", "word"), GERMAN.items())
def test_german(n, word):
    assert nw.german(n) == word


@pytest.mark.parametrize(("n", "words"), ENGLISH.items())
def test_english(n, words):
    assert nw.english(n) == words


def test_german_splits_at_morphemes_and_english_at_words():
    assert nw.english_tokens(725) == ["seven", "hundred", "twenty", "five"]
    assert nw.german_tokens(725) == ["sieben", "hundert", "fünf", "und", "zwan", "zig"]
    assert nw.german_tokens(16_031) == [
        *["sech", "zehn", "tausend"],
        *["ein", "und", "drei", "ßig"],
    ]
    assert nw.german_tokens(11_012) == ["elf", "tausend", "zwölf"]


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
ENGLISH = {word: n for n, word in enumerate(SMALL.split())}
ENGLISH |= {word: 20 + 10 * n for n, word in enumerate(TENS.split())}


def parse_english(text):
    total = part = 0
    for word in text.replace("-", " ").split():
        if word == "thousand":
            total, part = 1000 * part, 0
        else:
            part = 100 * part if word == "hundred" else part + ENGLISH[word]
    return total + part


def test_every_number_is_read_back():
    # Every thousands part with every rest would be a million on either side: all numbers below
    # 10,000, each other thousands part with rests of every kind, and each rest with some of them.
    rests = (0, 1, 11, 12, 16, 21, 30, 100, 101, 217, 999)
    some = itertools.chain(
        range(10_000),
        (1000 * thousands + rest for thousands in range(10, 1000) for rest in rests),
        range(0, 1_000_000, 97),
    )
    for n in some:
        assert nw.parse_german(nw.german(n)) == n
        assert parse_english(nw.english(n)) == n


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("hundert", 100),
        ("tausend", 1000),
        ("hunderttausend", 100_000),
        ("tausendeins", 1001),
        ("hunderttausendeins", 100_001),
        ("eintausendhundert", 1100),
        ("Fünf und zwanzig", 25),
        ("dreissig", 30),
        ("zwoelf", 12),
        ("FUENFZIG", 50),
    ],
)
def test_other_german_spellings(text, n):
    assert nw.parse_german(text) == n


@pytest.mark.parametrize(
    "text",
    [
        *["", "ein", "einsundzwanzig", "zweizig", "zweizehn", "einzehn", "zehnhundert", "zig"],
        *["einstausend", "dreihunderteinstausend", "nullhundert", "zwanzigeins", "undzwanzig"],
        *["tausendtausend", "hunderthundert", "elfundzwanzig", "siebenzig", "sechszehn", "five"],
        *["einhundertein", "hundertnull", "zwanzigundeins", "eineinhundert"],
    ],
)
def test_no_german_number(text):
    with pytest.raises(ValueError, match="is not a German number"):
        nw.parse_german(text)


@pytest.mark.parametrize("n", [-1, 1_000_000, 2.5, "7", None, True])
def test_numbers_out_of_range_are_refused(n):
    for function in (nw.german, nw.english, nw.german_tokens, nw.english_tokens):
        with pytest.raises(ValueError, match="expected a whole number from 0 to 999,999"):
            function(n)


def test_numbers_from_tensors():
    assert nw.german(torch.tensor(21)) == "einundzwanzig"


# The corpus


def test_vocabularies_know_every_token():
    numbers = [*range(2000), *range(0, 1_000_000, 997)]
    assert {t for n in numbers for t in nw.german_tokens(n)} == set(nw.GERMAN.tokens[4:])
    assert {t for n in numbers for t in nw.english_tokens(n)} == set(nw.ENGLISH.tokens[4:])


def test_vocabulary_encodes_and_decodes():
    words = nw.Vocabulary(["one", "two", "one"])
    assert len(words) == 6
    assert words.encode(["two", "one", "three"], bos=True, eos=True) == [1, 5, 4, 3, 2]
    assert words.decode(torch.tensor([1, 5, 4, 3, 2, 0, 5])) == ["two", "one", "<unk>"]


def test_splits_are_the_same_everywhere():
    # Written down once: another Python or machine has to draw these, too.
    few = nw.splits(3, 2, 2, seed=7)
    assert few == nw.splits(3, 2, 2, seed=7) != nw.splits(3, 2, 2, seed=8)
    assert few == nw.Splits([0, 9, 17602], [1791, 6], [38140, 254])


def test_splits_do_not_overlap():
    parts = nw.splits(5000, 500, 2000)
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [5000, 500, 2000]
    assert len({*parts.train, *parts.validation, *parts.test}) == 7500


def test_each_split_has_short_and_long_numbers():
    parts = nw.splits(5000, 500, 2000)
    for numbers in (parts.train, parts.validation, parts.test):
        lengths = [len(str(n)) for n in numbers]
        assert {2, 3, 4, 5, 6} <= set(lengths)
        assert max(lengths.count(digits) for digits in (4, 5, 6)) < 0.4 * len(numbers)


def test_splits_of_too_many_numbers_are_refused():
    with pytest.raises(ValueError, match="train=400000"):
        nw.splits(400_000, 0, 0)


def test_batches_hold_every_pair_once():
    numbers = nw.splits(300, 0, 0).train
    batches = nw.Batches(numbers, batch_size=32, seed=1)
    rows = [row for _, tgt in batches for row in tgt.tolist()]
    actual = [parse_english(nw.join_english(nw.ENGLISH.decode(row))) for row in rows]
    assert sorted(actual) == sorted(numbers)
    assert len(batches) == len(list(batches)) == 10


def test_batches_are_padded_long_tensors_with_marks():
    for src, tgt in nw.Batches(nw.splits(200, 0, 0).train, batch_size=16):
        assert src.dtype == tgt.dtype == torch.long
        assert src.dim() == tgt.dim() == 2 and len(src) == len(tgt)
        assert (tgt[:, 0] == nw.BOS).all()
        for ids in (src, tgt):
            ends = (ids == nw.EOS).long().argmax(1)
            assert ((ids == nw.EOS).sum(1) == 1).all()
            after = torch.arange(ids.size(1)) > ends[:, None]
            assert torch.equal(after, ids == nw.PAD)
        assert max(src.size(1), tgt.size(1)) <= nw.MAX_LEN


def test_batches_hardly_pad():
    batches = list(nw.Batches(nw.splits(1000, 0, 0).train, batch_size=32))
    padding = sum((src == nw.PAD).sum().item() for src, _ in batches)
    assert padding < 0.05 * sum(src.numel() for src, _ in batches)


def test_batches_depend_on_seed_and_epoch_alone():
    numbers = nw.splits(100, 0, 0).train

    def ids(seed, epoch):
        return [src.tolist() for src, _ in nw.Batches(numbers, 16, seed)(epoch)]

    assert ids(0, 3) == ids(0, 3)
    assert ids(0, 3) != ids(0, 4)
    assert ids(0, 3) != ids(1, 3)
    torch.manual_seed(5)
    before = torch.get_rng_state()
    ids(0, 0)
    assert torch.equal(before, torch.get_rng_state())


def test_longest_rows_fit():
    src, tgt = nw.pair(777_777)
    assert (len(src), len(tgt)) == (14, 11)


# Translating, with a made-up model that knows every number


class Oracle(torch.nn.Module):
    def __init__(self, faults=()):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.faults = set(faults)


def look_up(model, src, max_len, bos_id, eos_id, shout=False):
    rows = []
    for row in src.tolist():
        n = nw.parse_german("".join(nw.GERMAN.decode(row)))
        rows.append(nw.pair(n + 1 if n in model.faults else n)[1])
    assert not shout
    return nw.pad(rows)


def test_translate():
    assert nw.translate(Oracle(), "fünfundzwanzig", look_up) == "twenty-five"
    assert nw.translate(Oracle(), 999_999, look_up, shout=False) == nw.english(999_999)
    with pytest.raises(ValueError, match="twenty-five"):
        nw.translate(Oracle(), "twenty-five", look_up)


def test_exact_match_counts_whole_numbers():
    numbers = list(range(1000, 2000))
    assert nw.exact_match(Oracle(), numbers, look_up) == 1.0
    assert nw.exact_match(Oracle({1003, 1004, 1999}), numbers, look_up) == 0.997
