"""Messages to `kzui lsp` that are not valid: none ends the server, and each is followed by one that is answered.

`KZUI_BIN` names the program.
"""
import json
import os
import pathlib
import shutil
import subprocess

import pytest
from protocol import LanguageServer, uri

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.path.abspath(os.environ["KZUI_BIN"])
ORDERS = "base/orders/deployment.yaml"
MEBIBYTE = 1024 * 1024


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "shop"
    shutil.copytree(ROOT / "demo" / "shop", folder)
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    server = LanguageServer(BINARY, str(folder))
    server.folder = str(folder)
    server.open([str(folder / ORDERS)])
    yield server
    if server.process.poll() is None:
        server.process.kill()


def is_alive(server):
    hover = server.at("hover", os.path.join(server.folder, ORDERS), 45)
    return "256Mi" in hover["contents"]["value"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b"\xff\xfe\x00",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":null,"method":null}',
        b'{"jsonrpc":"2.0","id":{},"method":"textDocument/hover"}',
        b'{"jsonrpc":"2.0","id":99999999999999999999,"method":"textDocument/hover"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"textDocument/hover"}',
        b'{"jsonrpc":"2.0","id":900,"result":{"a":1e999}}',
        b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":7}}',
        b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":null}',
        b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}',
        b'{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"x"}]}}',
        b'[{"jsonrpc":"2.0","id":901,"method":"textDocument/hover"}]',
        b'{"a":' * 20_000,
        b"[" * 100_000,
        b"x" * (16 * MEBIBYTE + 1),
    ],
    ids=lambda content: content[:40].decode("latin-1"),
)
def test_an_invalid_message_is_skipped(server, content):
    server.send_bytes(content)
    assert is_alive(server)


@pytest.mark.parametrize(
    "header",
    [
        b"\r\n\r\n",
        b"Content-Length\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: 99999999999999999999999\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b"\xff\xff\xff\r\n",
        b"a" * 100_000 + b"\r\n",
    ],
    ids=lambda header: header[:30].decode("latin-1"),
)
def test_an_invalid_header_is_skipped(server, header):
    server.process.stdin.write(header)
    assert is_alive(server)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/unknown", {}, -32601),
        ("workspace/symbol", {"query": "web"}, -32601),
        ("initialize", {"capabilities": {}}, None),
        ("textDocument/hover", {}, None),
        ("textDocument/hover", [], None),
        ("textDocument/hover", {"textDocument": {"uri": "file:///gone.yaml"}, "position": 7}, None),
        ("textDocument/hover", {"textDocument": {"uri": 7}}, None),
    ],
)
def test_a_wrong_request_has_an_answer(server, method, params, code):
    response = server.request(method, params)
    if code is not None:
        assert response["error"]["code"] == code
    assert is_alive(server)


@pytest.mark.parametrize("position", [{"line": -1, "character": 0}, {"line": "a"}, {"line": 2**31, "character": 2**31}, 7])
def test_a_position_outside_has_no_answer(server, position):
    document = {"uri": uri(os.path.join(server.folder, ORDERS))}
    response = server.request("textDocument/hover", {"textDocument": document, "position": position})
    assert "error" in response or response["result"] is None
    assert is_alive(server)


def test_changes_with_wrong_ranges_keep_the_server(server):
    document = {"uri": uri(os.path.join(server.folder, ORDERS)), "version": 2}
    for start, end in [((9, 0), (3, 0)), ((0, 9999), (9999, 0)), ((2**31, 0), (2**31, 0))]:
        span = {"start": dict(zip(("line", "character"), start)), "end": dict(zip(("line", "character"), end))}
        changes = [{"range": span, "text": "é😀"}]
        server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    text = open(os.path.join(server.folder, ORDERS), encoding="utf-8").read()
    server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
    assert is_alive(server)


def test_a_document_that_is_too_large_is_logged(server):
    path = os.path.join(server.folder, "large.yaml")
    document = {"uri": uri(path), "languageId": "yaml", "version": 1, "text": "#" * (9 * MEBIBYTE)}
    server.notify("textDocument/didOpen", {"textDocument": document})
    assert not server.about("codeLens", path)
    logged = [it["params"]["message"] for it in server.notifications if it["method"] == "window/logMessage"]
    assert any("too large" in message for message in logged)
    assert is_alive(server)


def test_other_documents_are_ignored(server):
    for name in ["untitled:Untitled-1", "git:/shop/web.yaml", "https://example.com/web.yaml", "file:relative.yaml", ""]:
        document = {"uri": name, "languageId": "yaml", "version": 1, "text": "a: b"}
        server.notify("textDocument/didOpen", {"textDocument": document})
    assert is_alive(server)


def test_answers_name_files_as_the_client_does(server, tmp_path):
    """The folder is opened by a link: an edit of the real path would open the file a second time."""
    (tmp_path / "link").symlink_to(server.folder)
    path = tmp_path / "link" / "overlays" / "production" / "kustomization.yaml"
    document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": path.read_text(encoding="utf-8")}
    server.notify("textDocument/didOpen", {"textDocument": document})
    position = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 33, "character": 8}}
    for _ in range(100):
        if found := server.request("textDocument/definition", position)["result"]:
            break
    assert [it["uri"] for it in found] == [path.with_name("orders-memory.yaml").as_uri()]


def test_many_changes_in_a_row_are_answered_within_the_bound(server):
    path = os.path.join(server.folder, ORDERS)
    text = open(path, encoding="utf-8").read()
    for version in range(2, 202):
        document = {"uri": uri(path), "version": version}
        changes = [{"text": f"{text}# {version}\n"}]
        server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    assert is_alive(server)


def test_shutdown_and_exit(server):
    assert server.request("shutdown", None)["result"] is None
    assert server.request("textDocument/hover", {})["error"]["code"] == -32600
    server.notify("exit", None)
    assert server.process.wait(60) == 0


def test_exit_without_shutdown_is_a_failure(server):
    server.notify("exit", None)
    assert server.process.wait(60) == 1


def test_the_end_of_the_input_ends_the_server(server):
    server.process.stdin.close()
    server.process.wait(60)


def test_a_request_before_the_first_is_refused(tmp_path):
    process = subprocess.Popen([BINARY, "lsp"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    content = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {}}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    process.stdin.close()
    assert b"-32002" in process.stdout.read()
    process.wait(60)
