"""What is printed for learners fits a notebook's page, word by word."""

from transformer_workbook.shared.texts import say


def test_long_lines_are_broken_between_words_and_lines_stay_lines(capsys):
    names = ["PositionwiseFeedForward", "LearnedPositionalEmbedding", "sinusoidal_encoding"] * 3
    say("So far: " + ", ".join(names) + "\n  indented")
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "  indented"
    assert all(len(line) <= 88 for line in lines)
    words = " ".join(lines[:-1]).removeprefix("So far: ").split(", ")
    assert words == names


def test_a_word_that_is_too_long_stays_whole(capsys):
    say("see " + "x" * 120)
    assert capsys.readouterr().out == "see\n" + "x" * 120 + "\n"
