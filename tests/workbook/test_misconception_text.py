import pytest
from right_answers import attention

from transformer_workbook.diagnosis.misconception_text import misconception_text, stands_in
from transformer_workbook.diagnosis.recorded_lessons import lesson_texts


@pytest.mark.parametrize(
    ("piece", "code", "expected"),
    [
        ("1 / d**0.5", "rate = 1/d ** 0.5", True),
        ("1 / d**0.5", "rate = 1 / d", False),
        ("**", "2 * x", False),
        ("*", "2 ** x", False),
        ("[...] * 2", "layers = [Layer() for _ in range(3)] * 2", True),
        ("[...] * 2", "2 * layers[0]", False),
        ("(N, T)", "x = ids  # (N, T)", False),
    ],
)
def test_a_piece_of_code_stands_in_code_token_by_token(piece, code, expected):
    assert stands_in(piece, code) == expected


@pytest.mark.parametrize(("factor", "text"), [("math.sqrt(d_k)", "says"), ("d_k**0.5", "behaves")])
def test_a_text_quotes_code_only_of_an_answer_that_has_it(factor, text):
    about = ("01-attention", "scaled_dot_product_attention")
    texts = lesson_texts(about[0])["components"][about[1]]["misconceptions"]["scale-multiplied"]
    source = attention(f"query @ key.transpose(-2, -1) * {factor}")
    assert misconception_text(*about, "scale-multiplied", source) == texts[text]
