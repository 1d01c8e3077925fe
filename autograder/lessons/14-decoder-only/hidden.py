"""The tests of lesson 14 that earn points. Never shipped to students."""

from autograder.lesson.cases import Case, Test

from .visible import (
    DEEP,
    LARGE,
    SMALL,
    TINY,
    WIDE,
    backward,
    compare,
    draw_many,
    elsewhere,
    in_training,
    other_future,
    predict,
    predict_on,
    soften,
    write,
)


def tests(draw):
    return {
        "CausalLM": [
            Test("predictions", 3, says="the logits of many texts and sizes", cases=[
                predict(draw, "hidden one layer", SMALL, (3, 5)),
                predict(draw, "hidden deep", DEEP | {"num_layers": 3}, (2, 4)),
                predict(draw, "hidden one token", DEEP, (2, 1)),
                predict(draw, "hidden later", SMALL, (3, 2), start=5),
                predict(draw, "hidden in turn", SMALL, (3, 5), probe="predict_in_turn"),
                predict_on(draw, "hidden pieces", DEEP | {"num_layers": 3}, (3, 6), [2, 3, 1]),
                predict(draw, "hidden float64", DEEP | {"dropout": 0.4, "pad_id": 5}, (2, 4),
                        probe="predict_exactly"),
            ]),
            Test("no future", 2, says="later tokens change nothing before them", cases=[
                other_future(draw, "hidden future", SMALL, (3, 5), 2),
                other_future(draw, "hidden last", DEEP, (2, 4), 2),
            ]),
            Test("parts", 2, says="the shared matrix, dropout, gradients, device", cases=[
                in_training(draw, "hidden dropout", DEEP | {"dropout": 0.2}, (3, 4)),
                backward(draw, "hidden gradients", DEEP | {"pad_id": 2}, (3, 3)),
                backward(draw, "hidden usual padding", DEEP, (4, 3)),
                elsewhere(draw, "hidden device", DEEP, (3, 4)),
                Case("hidden parts", "parts", LARGE | {"vocab_size": 150, "dropout": 0.4}),
                Case("hidden usual dropout", "parts", LARGE | {"vocab_size": 130}),
            ]),
        ],
        "next_token_loss": [
            Test("the loss", 3, says="with padding and without", cases=[
                compare(draw, "hidden batch", (3, 5, 6), 0, [(0, 4), (2, 3), (2, 4)]),
                compare(draw, "hidden none", (2, 4, 7), 3, []),
                compare(draw, "hidden other", (4, 4, 5), 2, [(1, 3), (3, 2), (3, 3)]),
                compare(draw, "hidden usual", (3, 4, 5), None, [(1, 3), (2, 3)]),
            ]),
        ],
        "next_token_probabilities": [
            Test("temperature", 2, says="low and high temperatures, and 0", cases=[
                soften(draw, "hidden plain", (3, 6)),
                soften(draw, "hidden cool", (2, 5), temperature=0.3),
                soften(draw, "hidden hot", (4, 4), temperature=1.7),
                soften(draw, "hidden greedy", (2, 7), temperature=0),
            ]),
            Test("top_k", 2, says="few and many tokens kept", cases=[
                soften(draw, "hidden two", (3, 5), top_k=2),
                soften(draw, "hidden one", (3, 6), temperature=0.8, top_k=1),
                soften(draw, "hidden both", (2, 8), temperature=1.4, top_k=5),
                soften(draw, "hidden greedy of three", (3, 6), temperature=0, top_k=3),
                soften(draw, "hidden all", (3, 5), top_k=12),
                soften(draw, "hidden positions", (3, 2, 6), top_k=4),
                soften(draw, "hidden row", (7,), top_k=3),
                soften(draw, "hidden uneven rows", (2, 6), apart=5.0, top_k=3),
            ]),
        ],
        "generate": [
            Test("greedy", 3, says="what is written when only one token can be drawn", cases=[
                write(draw, "hidden greedy", WIDE, (4, 5), 6, temperature=0),
                write(draw, "hidden top_k", TINY, (3, 2), 7, top_k=1),
                write(draw, "hidden train mode", WIDE | {"dropout": 1.0}, (3, 3), 5,
                      training=True, temperature=0),
                write(draw, "hidden one token", WIDE, (3, 1), 4, temperature=0),
                write(draw, "hidden nothing", WIDE, (3, 2), 0, training=True, temperature=0),
                write(draw, "hidden one layer", WIDE | {"num_layers": 1}, (2, 3), 4,
                      temperature=0),
                write(draw, "hidden ended", WIDE, (2, 1), 7, ends=True, temperature=0),
            ]),
            Test("draws", 2, says="how often each token is drawn", cases=[
                draw_many(draw, "hidden draws", WIDE, 2, count=3),
                draw_many(draw, "hidden cool draws", TINY, 4, temperature=0.6, top_k=4),
            ]),
        ],
    }  # fmt: skip
