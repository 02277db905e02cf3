"""Clients of `kzui lsp` and `kzui mcp` over standard input and output, with no other package."""
import json
import os
import queue
import subprocess
import threading
from urllib.parse import quote

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMEOUT_SECONDS = 120


def uri(path):
    return "file://" + quote(os.path.realpath(path))


class Connection:
    """A server as a child process; its messages are read on a thread."""

    def __init__(self, command, directory):
        self.process = subprocess.Popen(
            command, cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages = queue.Queue()
        self.notifications = []
        self.last_id = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while (message := self.read_message()) is not None:
            self.messages.put(message)
        self.messages.put(None)

    def receive(self, timeout=TIMEOUT_SECONDS):
        message = self.messages.get(timeout=timeout)
        if message is None:
            raise EOFError("the server has ended")
        return message

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params, timeout=TIMEOUT_SECONDS):
        """The complete response: `result` or `error`."""
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            message = self.receive(timeout)
            if message.get("id") == self.last_id and "method" not in message:
                return message
            self.notifications.append(message)

    def end(self):
        self.process.stdin.close()
        return self.process.wait(TIMEOUT_SECONDS)


class LanguageServer(Connection):
    def __init__(self, binary, directory, flags=()):
        super().__init__([binary, "lsp", *flags], directory)
        root = {"rootUri": uri(directory), "processId": os.getpid(), "capabilities": {}}
        self.initialized = self.request("initialize", root)["result"]
        self.notify("initialized", {})

    def send_bytes(self, content):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def read_message(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if not line.strip():
                return json.loads(self.process.stdout.read(length))
            name, value = line.decode().split(":")
            if name.lower() == "content-length":
                length = int(value)

    def open(self, paths):
        """Opens documents and waits for the diagnostics of all of them."""
        for path in paths:
            with open(path, encoding="utf-8", newline="") as file:
                document = {"uri": uri(path), "languageId": "yaml", "version": 1, "text": file.read()}
            self.notify("textDocument/didOpen", {"textDocument": document})
        return {path: self.diagnostics(path) for path in paths}

    def diagnostics(self, path):
        wanted = uri(path)
        while True:
            for message in self.notifications:
                if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == wanted:
                    self.notifications.remove(message)
                    return message["params"]["diagnostics"]
            self.notifications.append(self.receive())

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri(path)}})

    def at(self, method, path, line, character=0, **more):
        """The result of a request about a line, from 1."""
        position = {"line": line - 1, "character": character}
        params = {"textDocument": {"uri": uri(path)}, "position": position, **more}
        return self.request(f"textDocument/{method}", params)["result"]

    def about(self, method, path, **more):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri(path)}, **more})["result"]


class AgentServer(Connection):
    def __init__(self, binary, directory, flags=()):
        super().__init__([binary, "mcp", *flags], directory)
        client = {"name": "tests", "version": "1"}
        self.initialized = self.request(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        )["result"]
        self.notify("notifications/initialized", {})

    def send_bytes(self, content):
        self.process.stdin.write(content + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def read_message(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def call(self, tool, **arguments):
        """Whether the call succeeded, its text, and its document."""
        response = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "error" in response:
            return False, response["error"]["message"], None
        result = response["result"]
        return not result.get("isError"), result["content"][0]["text"], result.get("structuredContent")
