"""The cases of the checks in the notebook of lesson 10. Inputs and results go to students.

The models are tables (see `Scripted` in the probes), and each table tells a story: one way that
greedy decoding follows, or two ways between which beam search has to choose.
"""

import dataclasses
import math
from itertools import pairwise

import torch

from autograder.lesson.cases import Case, Rule

BOS, EOS = MARKS = 1, 2
SIZE = 7  # tokens of the target: padding, both marks, and four words
SOURCES = 4  # tables in a script


def cases(draw):
    return {
        "greedy_decode": [
            greedy(draw, "one sentence", [3], (1, 4), 0, 9, "one source sentence"),
            greedy(draw, "batch", [2, 4, 1], (3, 5), 0, 9,
                   "three sources of other lengths, whose translations end one after the other"),
            greedy(draw, "cut off", [9, 2], (5, 4), 3, 6,
                   "one that does not end before max_len; other ids for padding and marks",
                   marks=(5, 1)),
            greedy(draw, "none ends", [8, 9], (2, 3), 0, 4,
                   "two translations that do not end before max_len"),
            greedy(draw, "padding written", [9, 9], (2, 4), 0, 5,
                   "a model that writes padding, too, and then continues", padding=(1, 3)),
            greedy(draw, "no room", [2], (1, 1), 0, 1, "max_len of 1: room for bos_id alone"),
            greedy(draw, "train mode", [2, 3], (2, 3), 0, 9, "a model in train mode",
                   training=True),
            greedy_there(draw, "device", [2, 3], (2, 3), 0, 5,
                         "src and the model on another device"),
        ],
        "beam_search": [
            detours(draw, "detour", (1, 3), 0, 9,
                    "the likeliest first word leads astray; beam of 2", beam_size=2),
            detours(draw, "batch", (3, 5), 3, 9,
                    "three sources at once, other ids for padding and marks", marks=(4, 6),
                    beam_size=3),
            detours(draw, "beam of 1", (2, 4), 0, 8, "a beam of 1, which is greedy decoding",
                    beam_size=1),
            doors(draw, "default beam", (2, 3), 0, 8, "beam_size not given, so it is 4"),
            close_races(draw, "close races", (3, 4), 0, 2, 6,
                        "a short and a long translation that score nearly alike", beam_size=2),
            close_races(draw, "longer ones", (3, 5), 3, 3, 6,
                        "two longer ones that score nearly alike", beam_size=2),
            wide_races(draw, "wide races", (4, 5), 3, 2, 6,
                       "short and long translations, and the default beam"),
            other_races(draw, "length_penalty", (3, 4), 0, 2, 6, 1.0, "another length_penalty",
                        beam_size=3),
            other_races(draw, "no penalty", (2, 4), 0, 3, 6, 0.0, "a length_penalty of 0",
                        beam_size=2),
            unfinished(draw, "cut off", (2, 3), 0, 2, 5,
                       "the best translation does not end before max_len", beam_size=2),
            overtaken(draw, "overtaken", (2, 4), 0, 6, "a short translation is ahead at first"),
            detours(draw, "no room", (1, 4), 0, 1, "max_len of 1: room for bos_id alone"),
            detours(draw, "train mode", (2, 3), 0, 9, "a model in train mode", beam_size=2,
                    training=True),
        ],
        "bug_hunt_1": [
            nucleus(draw, "half", (2, 5), 0.5, "5 tokens, half of the probability"),
            nucleus(draw, "most", (3, 6), 0.9, "6 tokens, most of the probability"),
        ],
    }  # fmt: skip


def greedy(
    draw, name, lengths, shape, pad_id, max_len, says="", marks=MARKS, padding=(), **options
):
    """Each source's table has one way with clear winners, `lengths` words long.

    At the places of `padding` it has padding. Asked again after the end, the model says once more
    that it is the end.
    """
    bos, eos = marks
    tables = []
    for length in lengths:
        words = _words(draw, pad_id, marks)
        way = [words[place % len(words)] for place in range(length)]
        way = [pad_id if place in padding else word for place, word in enumerate(way)]
        tables.append(_table(draw, pad_id, _follow([bos, *way, eos, eos], 0.8), marks))
    case = _case(
        draw, name, "decode_greedily", tables, shape, pad_id, max_len, says, options, marks
    )
    if max_len == 1:  # who knows that nothing will be written need not read the source
        case = dataclasses.replace(case, rules={"sources_read": Rule("between", low=0, high=1)})
        return _with_control(case, "one-too-long")
    if padding:
        return _with_control(case, "padding-ends-a-row")
    return _with_control(case, "train-mode-on" if options else "source-mask-forgotten")


def greedy_there(draw, name, lengths, shape, pad_id, max_len, says=""):
    """Here the model's answers tell nothing, so all rows grow to max_len."""
    case = greedy(draw, name, lengths, shape, pad_id, max_len, says)
    return dataclasses.replace(case, probe="decode_there", control="token-on-the-cpu")


def detours(draw, name, shape, pad_id, max_len, says="", marks=MARKS, **options):
    """The likeliest first word goes on badly, the second one well.

    In the first table that is the smallest of the words: token 0, where it is no padding.
    """
    bos, eos = marks
    tables = []
    for number in range(SOURCES):
        words = _words(draw, pad_id, marks)
        if number == 0:
            smallest = words.index(min(words))
            words[1], words[smallest] = words[smallest], words[1]
        tempting, better, third, fourth = words
        lines = {
            (0, bos): {tempting: 0.5, better: 0.4},
            (1, tempting): {third: 0.4, fourth: 0.2, eos: 0.15},
            (1, better): {fourth: 0.93},
            (2, third): {eos: 0.93},
            (2, fourth): {third if number % 2 else eos: 0.93},
            (3, third): {eos: 0.93},
        }
        tables.append(_table(draw, pad_id, lines, marks))
    case = _case(draw, name, "search", tables, shape, pad_id, max_len, says, options, marks)
    if max_len == 1:
        return case
    if "training" in options:
        return _with_control(case, "beam-in-train-mode")
    alone = options.get("beam_size") == 1
    return _with_control(case, "beam-source-mask-forgotten" if alone else "only-the-best-one-grows")


def doors(draw, name, shape, pad_id, max_len, says=""):
    """The best translation begins as the fourth best, or, in every other source, the fifth best.

    A beam of 4 finds the one and not the other.
    """
    tables = []
    for number in range(SOURCES):
        first, second, third, door = _words(draw, pad_id)
        ahead = {first: 0.27} if number % 2 else {}
        lines = {
            (0, BOS): {first: 0.5, second: 0.48},
            (1, first): {first: 0.32, second: 0.3, third: 0.26},
            (1, second): {**ahead, door: 0.2 if number % 2 else 0.25},
            (2, first): {EOS: 0.4},
            (2, second): {EOS: 0.15},
            (2, third): {EOS: 0.15},
            (2, door): {EOS: 0.97},
        }
        tables.append(_table(draw, pad_id, lines))
    case = _case(draw, name, "search", tables, shape, pad_id, max_len, says, {})
    return _with_control(case, "only-the-best-one-grows")


def close_races(draw, name, shape, pad_id, short, long, says="", **options):
    """Decided by how exactly the length is counted: with or without bos_id and eos_id."""
    right, with_bos, without_eos, brackets = _limits(short, long)[:4]
    ratios = [_between(brackets, with_bos), _between(with_bos, right), _between(right, without_eos)]
    return _races(draw, name, shape, pad_id, short, long, ratios, says, options)


def wide_races(draw, name, shape, pad_id, short, long, says="", **options):
    """Decided by what the penalty is made of, and how often it is taken."""
    _, _, without_eos, brackets, exponent, plain = _limits(short, long)
    ratios = [_between(1, brackets), _between(without_eos, exponent), _between(exponent, plain)]
    ratios.append(1.014 * plain)
    return _races(draw, name, shape, pad_id, short, long, ratios, says, options)


def other_races(draw, name, shape, pad_id, short, long, power, says="", **options):
    """Another length_penalty, which decides otherwise than the default; one loses by all means.

    The third translation pays late: it leads, falls behind, and wins in the end.
    """
    default, asked = ((5 + long) / (5 + short)) ** 0.6, ((5 + long) / (5 + short)) ** power
    ratios = [_between(default, asked), 0.92]
    tables = [_race(draw, pad_id, short, long, ratio) for ratio in ratios]
    late = 1 + 0.6 * (asked - 1) if power else 0.9
    tables.append(_race(draw, pad_id, short, long, late, late=True))
    options = {"length_penalty": power, **options}
    case = _case(draw, name, "search", tables, shape, pad_id, long + 3, says, options)
    return _with_control(case, "power-fixed")


def overtaken(draw, name, shape, pad_id, long, says="", **options):
    """In a beam of 2, the best translation stays only where the short one's score is the worse.

    By its total alone, the short one is ahead where the long ways part.
    """
    tables = []
    for number in range(SOURCES):
        first, second, third, fourth = _words(draw, pad_id)
        way = [BOS, second, third, fourth] + [(first, second)[step % 2] for step in range(long - 4)]
        lines = _follow([*way, EOS], math.exp(-0.012))
        lines[0, BOS] = {first: math.exp(-1.2), second: math.exp(-0.53)}
        lines[1, first] = {EOS: math.exp(-0.06)}  # in all: -1.26
        ways = {EOS: math.exp(-0.74), fourth: math.exp(-0.77)}  # -1.28 and -1.31
        lines[2, third] = ways if number % 2 == 0 else {EOS: math.exp(-0.03)}
        tables.append(_table(draw, pad_id, lines))
    options = {"beam_size": 2, **options}
    case = _case(draw, name, "search", tables, shape, pad_id, long + 2, says, options)
    return _with_control(case, "penalty-forgotten")


def unfinished(draw, name, shape, pad_id, short, max_len, says="", **options):
    """The long translation is cut off at max_len; in one source it wins all the same."""
    tables = [_race(draw, pad_id, short, max_len + 2, ratio) for ratio in (0.8, 2.5, 0.85)]
    case = _case(draw, name, "search", tables, shape, pad_id, max_len, says, options)
    return _with_control(case, "unfinished-never-win")


def nucleus(draw, name, shape, share, says=""):
    """Logits far enough apart that rounding cannot move a token over the edge.

    In the first row the least likely token's share would, beside the likelier ones, move one over;
    in the last row the likeliest token has the share alone.
    """
    rows = []
    while len(rows) < shape[0]:
        row = draw.normal(shape[1], scale=1.5)
        likeliest, order = row.double().softmax(dim=0).sort(descending=True)
        ahead = likeliest.cumsum(dim=0) - likeliest
        far = (ahead - share).abs().min() > 0.01 and likeliest.diff().abs().min() > 0.005
        tight = ((ahead < share) & (ahead + likeliest[-1] > share + 0.01)).any()
        # An order that is its own inverse would hide who confuses the two.
        turns = not torch.equal(order[order], torch.arange(len(order)))
        is_last = len(rows) == shape[0] - 1
        if far and turns and (likeliest[0] >= share) == is_last and (rows or tight):
            rows.append(row)
    return Case(name, "keep_nucleus", {"log_probs": torch.stack(rows), "share": share}, says=says)


# How the tables are made.


def _races(draw, name, shape, pad_id, short, long, ratios, says, options):
    tables = [_race(draw, pad_id, short, long, ratio) for ratio in ratios]
    case = _case(draw, name, "search", tables, shape, pad_id, long + 3, says, options)
    return _with_control(case, "penalty-forgotten")


def _limits(short, long, power=0.6):
    """At which ratio of log-probabilities the long translation begins to lose, counted rightly
    and in ways that are wrong; both lengths are without bos_id and with eos_id."""
    return [
        ((5 + long) / (5 + short)) ** power,
        ((6 + long) / (6 + short)) ** power,
        ((4 + long) / (4 + short)) ** power,
        ((5 + long / 6) / (5 + short / 6)) ** power,
        (5 + long) / (5 + short),
        (long / short) ** power,
    ]


def _between(low, high):
    return (low + high) / 2


def _race(draw, pad_id, short, long, ratio, late=False):
    """A short and a long way; the long one's log-probability is `ratio` times the other's.

    It pays at its first word, or, with `late`, at its last. After its end the short one would go
    on at little cost, with one more end: a beam of 2 then has no room for the long one.
    """
    one, other = _words(draw, pad_id)[:2]
    step = 0.02  # what each word costs after the first
    start = 1.0 + 0.05 * draw.pick(-1, 0, 1)
    total = ratio * (start + (short - 1) * step)
    if late:
        begin, end = start - 0.2, total - start + 0.2 - (long - 2) * step
    else:
        begin, end = total - (long - 1) * step, step
    lines = _follow([BOS] + [one] * (short - 1) + [EOS, EOS], math.exp(-step))
    lines |= _follow([BOS] + [other] * (long - 1) + [EOS], math.exp(-step))
    lines[0, BOS] = {one: math.exp(-start), other: math.exp(-begin)}
    lines[long - 1, other] = {EOS: math.exp(-end)}
    return _table(draw, pad_id, lines)


def _follow(way, probability):
    """Lines that lead along `way`, marks included, each step with the given probability."""
    steps = enumerate(pairwise(way))
    return {(place, before): {token: probability} for place, (before, token) in steps}


def _table(draw, pad_id, lines, marks=MARKS, length=9):
    """Logits (length, V, V): after which token follows which. Off the way, words follow."""
    words = _words(draw, pad_id, marks)
    logits = draw.normal(length, SIZE, SIZE, scale=0.25) - 4
    logits[:, :, words] += 2
    logits[:, :, words[0]] += 2
    for (place, before), following in lines.items():
        if place >= length:
            continue
        rest = (1 - sum(following.values())) / (SIZE - len(following))
        line = math.log(rest) + draw.normal(SIZE, scale=0.05).clamp(-0.1, 0.1)
        for token, probability in following.items():
            line[token] = math.log(probability)
        logits[place, before] = (line * 256).round() / 256
    return logits


def _case(draw, name, probe, tables, shape, pad_id, max_len, says, options, marks=MARKS):
    tables = [*tables, *(_table(draw, pad_id, {}, marks) for _ in range(SOURCES - len(tables)))]
    inputs = {
        "src": _sources(draw, shape, pad_id),
        "script": torch.stack(tables),
        "pad_id": pad_id,
        "max_len": max_len,
        "bos_id": marks[0],
        "eos_id": marks[1],
        **options,
    }
    return Case(name, probe, inputs, says=says)


def _with_control(case, control):
    return dataclasses.replace(case, control=control)


def _sources(draw, shape, pad_id):
    """Row n leads to table n, as its tokens say. Most rows end in padding.

    Read backwards, some row of a batch leads to another table.
    """
    count, length = shape
    rows = torch.arange(count) % SOURCES
    while True:
        src = draw.integers(4, 9, count, length)
        for row in range(count):
            padded = min((row + (count == 1)) % 3, length - 1)
            src[row, length - padded :] = pad_id
            src[row, 0] += (rows[row] - _tables_of(src, pad_id)[row]) % SOURCES
        if min(shape) == 1 or not torch.equal(_tables_of(src.flip(1), pad_id), rows):
            return src


def _tables_of(src, pad_id):
    """Which table the model of the probes uses for each row."""
    places = torch.arange(1, src.size(1) + 1)
    return (src.masked_fill(src == pad_id, 0) * places).sum(dim=1) % SOURCES


def _words(draw, pad_id, marks=MARKS):
    """The words of the target, in any order."""
    words = [token for token in range(SIZE) if token not in (pad_id, *marks)]
    order = draw.normal(len(words)).argsort().tolist()
    return [words[place] for place in order]
