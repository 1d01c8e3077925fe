"""Sources with which a student could bring to a fall, or to a stop, whoever analyses them."""

DEEP = "x_ = " + "+".join(["1"] * 600)
SOURCES = {
    "a sum of many terms": DEEP,
    "a deep wrong answer": f"def f(x):\n    {DEEP}\n    return x",
    "many brackets": "x = " + "(" * 150 + "1" + ")" * 150,
    "more brackets": "x = " + "[" * 5000 + "]" * 5000,
    "a long line": "x = (" + "(" * 190_000,
    "many lines that nearly fit": "\n".join("heads = x.view(" * 9 for _line in range(2000)),
    "many blocks": "".join(f"{' ' * n}if x:\n" for n in range(95)) + " " * 95 + "pass",
    "a chain of attributes": "x = y" + ".z" * 3000,
    "a chain of calls": "x = y" + "()" * 3000,
    "many minuses": "x = " + "-" * 20_000 + "1",
    "many lambdas": "x = " + "lambda: " * 2000 + "1",
    "many statements": "a=1\n" * 50_000,
    "statements in loops": "for i in x:\n" + " for j in x:\n" + "  a=1\n" * 5000,
    "a long name": "a" * 1_000_000,
    "a null byte": "x = 1\0",
    "half a character": "x = '\ud800'",
    "no Python": "def f(:",
}
