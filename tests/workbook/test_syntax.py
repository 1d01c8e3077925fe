"""What students wrote is read up to a size: nothing that analyses it can be brought to a fall."""

import ast
import copy
import time
from pathlib import Path

import pytest
from hostile.code import SOURCES

from transformer_workbook.diagnosis.statement_hashes import hash_of_code, hashes_in, statements
from transformer_workbook.shared.syntax import DEEPEST, LONGEST, MOST_NODES, read


@pytest.mark.parametrize("name", SOURCES)
def test_a_hostile_source_is_analysed_in_little_time_or_not_at_all(name):
    source = SOURCES[name]
    start = time.process_time()
    tree = read(source)
    if tree:
        ast.unparse(tree)
        copy.deepcopy(tree)
        ast.dump(tree)
    hashes_in(source), hash_of_code(source), statements(source)
    assert time.process_time() - start < 5


def test_a_source_is_read_up_to_each_limit():
    deep = "x = " + "-" * (DEEPEST - 4) + "y"
    assert read(deep) and not read("x = " + "-" * DEEPEST + "y")
    assert read("a\n" * (MOST_NODES // 3 - 2)) and not read("a\n" * MOST_NODES)
    assert read("#" * LONGEST) and not read("#" * (LONGEST + 1))


def test_what_the_lessons_list_is_a_tenth_of_the_limits():
    from the_course import COURSE

    for lesson in COURSE.lessons:
        for component in lesson.components.values():
            for source in (component.source, *(v.source for v in component.wrong)):
                assert len(source) < LONGEST / 10
                assert sum(1 for _node in ast.walk(ast.parse(source))) < MOST_NODES / 10


def test_one_module_parses_python():
    root = Path(__file__).resolve().parents[2]
    sources = [*(root / "autograder").rglob("*.py")]
    sources += (root / "course" / "transformer_workbook").rglob("*.py")
    assert len(sources) > 200
    others = [
        path.relative_to(root).as_posix()
        for path in sources
        if path.name != "syntax.py" and "ast.parse(" in path.read_text(encoding="utf-8")
    ]
    assert others == []


def test_a_block_is_marked_by_its_head():
    one, other = "while a:\n    b = 1", "while a:\n    b = 2"
    assert (
        len(hashes_in(one) & hashes_in(other)) == 1 and len(hashes_in(one) ^ hashes_in(other)) == 2
    )
    assert not hashes_in(one) & hashes_in(one.replace("while a", "while not a").replace("1", "3"))
    assert hash_of_code(one) != hash_of_code(other)
