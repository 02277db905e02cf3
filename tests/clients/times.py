#!/usr/bin/env python3
"""The time until the first diagnostics of a file, and of each request afterwards, with the load of the machine.

    python3 tests/clients/times.py --bin target/release/kzui ROOT FILE
"""
import argparse
import os
import time

from protocol import LanguageServer, uri

REQUESTS = ["hover", "definition", "references", "codeLens", "inlayHint", "completion", "codeAction"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("root")
    parser.add_argument("file")
    arguments = parser.parse_args()
    path = os.path.realpath(os.path.join(arguments.root, arguments.file))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.count("\n") + 1
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")

    def timed(name, action):
        start = time.monotonic()
        result = action()
        print(f"{name}: {(time.monotonic() - start) * 1000:.1f} ms")
        return result

    server = LanguageServer(os.path.abspath(arguments.bin), arguments.root)
    found = timed("first diagnostics", lambda: server.open([path]))
    print(f"  {len(found[path])} diagnostics")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}

    def ask(method, line):
        position = {"line": line, "character": 2}
        params = {"textDocument": {"uri": uri(path)}, "position": position, "range": whole}
        params["context"] = {"includeDeclaration": True, "diagnostics": []}
        return server.request(f"textDocument/{method}", params)

    # Every line, so that the slowest one counts.
    for method in REQUESTS:
        slowest, size = 0, 0
        for line in range(min(lines, 200)):
            start = time.monotonic()
            answer = ask(method, line)
            slowest, size = max(slowest, time.monotonic() - start), max(size, len(str(answer)))
        print(f"{method}: at most {slowest * 1000:.1f} ms, {size} bytes")
    for version in range(2, 5):
        document = {"uri": uri(path), "version": version}
        changes = [{"text": f"{text}# {version}\n"}]
        server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        timed("completion while the change is checked", lambda: ask("completion", lines - 1))
        timed("hover while the change is checked", lambda: ask("hover", 0))
        server.notifications.clear()
        time.sleep(2)
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        print("".join(line for line in status if line.startswith("VmHWM")).strip())
    server.request("shutdown", None)
    server.notify("exit", None)
    print(f"exit status {server.end()}")


if __name__ == "__main__":
    main()
