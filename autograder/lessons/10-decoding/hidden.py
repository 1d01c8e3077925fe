"""The tests of lesson 10 that earn points. Never shipped to students."""

from autograder.lesson.cases import Test

from .visible import (
    close_races,
    detours,
    doors,
    greedy,
    greedy_there,
    nucleus,
    other_races,
    overtaken,
    unfinished,
    wide_races,
)


def tests(draw):
    return {
        "greedy_decode": [
            Test("translations", 2, says="batches of sources of many lengths", cases=[
                greedy(draw, "one sentence", [4], (1, 3), 0, 10),
                greedy(draw, "batch", [5, 1, 3], (3, 6), 0, 10),
                greedy(draw, "other ids", [2, 3, 1], (3, 4), 3, 10, marks=(6, 1)),
                greedy(draw, "two tables, five rows", [3, 1, 2], (5, 4), 0, 8),
            ]),
            Test("the end", 2, says="translations that end early, late, or not at all", cases=[
                greedy(draw, "none ends", [9, 9], (2, 5), 0, 5),
                greedy(draw, "one ends", [1, 9, 3], (3, 5), 3, 7),
                greedy(draw, "padding written", [9, 9, 9], (3, 5), 3, 7, padding=(0, 2, 5)),
                greedy(draw, "nothing to write", [3, 2], (2, 1), 0, 1),
            ]),
            Test("eval mode", 1, says="the mode in which it decodes, and leaves", cases=[
                greedy(draw, "in train mode", [3, 1], (2, 6), 0, 9, training=True),
            ]),
            Test("device", 1, says="new tensors are made on the device that src is on", cases=[
                greedy_there(draw, "other device", [3, 2], (3, 4), 0, 6),
            ]),
        ],
        "beam_search": [
            Test("the search", 3, says="beams of many sizes, many sources at once", cases=[
                detours(draw, "beam of 2", (2, 5), 0, 9, beam_size=2),
                detours(draw, "beam of 5", (3, 6), 3, 10, marks=(5, 1), beam_size=5),
                doors(draw, "default beam", (4, 5), 0, 9),
                detours(draw, "beam of 1", (3, 4), 0, 9, beam_size=1),
            ]),
            Test("the length penalty", 3, says="short translations against long ones", cases=[
                close_races(draw, "close races", (3, 5), 0, 2, 7, beam_size=2),
                close_races(draw, "longer ones", (3, 4), 3, 3, 7, beam_size=3),
                wide_races(draw, "wide races", (4, 6), 0, 2, 7, beam_size=2),
                other_races(draw, "a penalty of 1", (3, 4), 0, 3, 7, 1.0, beam_size=2),
                other_races(draw, "no penalty", (3, 5), 0, 2, 6, 0.0, beam_size=3),
                overtaken(draw, "overtaken", (3, 5), 3, 7),
            ]),
            Test("the end", 1, says="translations that max_len cuts off", cases=[
                unfinished(draw, "cut off", (3, 4), 3, 2, 6, beam_size=3),
                unfinished(draw, "cut off early", (3, 3), 0, 2, 4, beam_size=2),
                detours(draw, "nothing to write", (2, 3), 0, 1, beam_size=3),
            ]),
            Test("eval mode", 1, says="the mode in which it searches, and leaves", cases=[
                detours(draw, "in train mode", (2, 4), 0, 8, beam_size=2, training=True),
            ]),
        ],
        "bug_hunt_1": [
            Test("the nucleus", 2, says="other shares of the probability", cases=[
                nucleus(draw, "many tokens", (3, 8), 0.75),
                nucleus(draw, "little", (2, 7), 0.6),
            ]),
        ],
    }  # fmt: skip
