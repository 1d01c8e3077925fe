"""The corpus comes from a folder or the network, whole or not at all, and says what is wrong."""

import functools
import gzip
import hashlib
import http.server
import threading

import pytest

from transformer_workbook.lessons.translation import find_corpus
from transformer_workbook.lessons.translation.corpus import CHECKSUMS, NoCorpus, fetch, multi30k

PARTS = ("train", "val", "test_2016_flickr")
NAMES = [f"{part}.{language}" for part in PARTS for language in ("de", "en")]


def write(folder, lines=("Ein Haus.", "Zwei.")):
    for name in NAMES:
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_folder_of_plain_files_is_taken(tmp_path, monkeypatch):
    write(tmp_path)
    found = multi30k(tmp_path)
    assert found.train == [("Ein Haus.", "Ein Haus."), ("Zwei.", "Zwei.")]
    monkeypatch.setenv("MULTI30K_DIR", str(tmp_path))
    assert multi30k() == found


def test_lines_end_with_newline_only_and_lose_spaces_at_their_ends(tmp_path):
    write(tmp_path, ["one\u2028still one ", "two\u00a0and\x85still two"])
    assert [pair[0] for pair in multi30k(tmp_path).train] == [
        "one\u2028still one", "two\u00a0and\x85still two",
    ]  # fmt: skip


def test_missing_file_is_named(tmp_path):
    write(tmp_path)
    (tmp_path / "val.en").unlink()
    with pytest.raises(NoCorpus, match=r"no val\.en\.gz in .*MULTI30K_DIR"):
        multi30k(tmp_path)


def test_sides_of_different_length_are_refused(tmp_path):
    write(tmp_path)
    (tmp_path / "train.en").write_text("one\n")
    with pytest.raises(NoCorpus, match="train has 2 German lines and 1 English ones"):
        multi30k(tmp_path)


def test_packed_file_that_is_not_the_known_one_is_refused(tmp_path):
    (tmp_path / "train.de.gz").write_bytes(gzip.compress(b"something else\n"))
    with pytest.raises(NoCorpus, match="damaged or another version"):
        multi30k(tmp_path)


def test_without_a_corpus_number_words_take_its_place(tmp_path, capsys):
    found = find_corpus(tmp_path)
    assert found.name == "number words" and len(found.train) == 20_000
    assert set(found.train).isdisjoint(found.test)
    said = capsys.readouterr().out
    assert "there is no train.de.gz" in said and "number words" in said


class Server(http.server.BaseHTTPRequestHandler):
    """Serves one file, with ranges; notes what was asked for."""

    data, ranges, cut, says_length = b"", [], None, False

    def do_GET(self):
        asked = self.headers.get("Range")
        type(self).ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        if start >= len(self.data):
            self.send_error(416)
            return
        self.send_response(206 if asked else 200)
        if self.says_length:
            self.send_header("Content-Length", str(len(self.data) - start))
        self.end_headers()
        self.wfile.write(self.data[start : self.cut])

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    handler = type("Handler", (Server,), {"data": bytes(range(256)) * 300, "ranges": []})
    monkeypatch.setitem(CHECKSUMS, "x.gz", hashlib.sha256(handler.data).hexdigest())
    serving = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    handler.address = f"http://127.0.0.1:{serving.server_port}"
    yield handler
    serving.shutdown()


def test_download_is_kept_and_not_fetched_again(server, tmp_path):
    get = functools.partial(fetch, "x.gz", tmp_path / "here", server.address)
    assert get() == server.data
    assert get() == server.data
    assert server.ranges == [None]


def test_download_that_was_cut_off_goes_on_where_it_stopped(server, tmp_path):
    server.cut = 50_000
    with pytest.raises(NoCorpus):
        fetch("x.gz", tmp_path, server.address)
    (tmp_path / "x.gz.part").write_bytes(server.data[:50_000])
    server.cut = None
    assert fetch("x.gz", tmp_path, server.address) == server.data
    assert server.ranges[-1] == "bytes=50000-"


def test_what_came_before_the_server_closed_too_early_is_kept_and_resumed(server, tmp_path):
    server.cut, server.says_length = 50_000, True
    with pytest.raises(NoCorpus, match=r"50000 of 76800 bytes came.*Run the cell again"):
        fetch("x.gz", tmp_path, server.address)
    server.cut = None
    assert fetch("x.gz", tmp_path, server.address) == server.data
    assert server.ranges == [None, "bytes=50000-"]


def test_download_that_is_something_else_is_refused_and_begun_anew(server, tmp_path):
    right, server.data = server.data, b"another file"
    with pytest.raises(NoCorpus, match="is not the file this course was made with"):
        fetch("x.gz", tmp_path, server.address)
    server.data = right
    assert fetch("x.gz", tmp_path, server.address) == right


def test_unreachable_address_says_how_to_go_on(tmp_path):
    with pytest.raises(NoCorpus, match=r"could not be fetched .* MULTI30K_DIR"):
        fetch("x.gz", tmp_path, "http://127.0.0.1:9")
