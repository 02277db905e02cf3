#!/usr/bin/env python3
"""Builds the page of kzui for browsers: one HTML file with everything in it, which can be opened from disk.

    package.py [--output target/web/kzui.html] [--wasm FILE]

Needs the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`) and `zopfli` from PyPI, which compresses better
than Python itself. Fails if the compressed page is larger than the limit.
"""
import argparse
import base64
import gzip
import hashlib
import json
import os
import subprocess
import sys

import zopfli.zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEMO = ["shop", "components"]
LIMIT_BYTES = 1_500_000


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def build():
    """The built WebAssembly module."""
    command = ["cargo", "build", "--locked", "-p", "kzui-web", "--profile", "web", "--target", "wasm32-unknown-unknown"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return os.path.join(ROOT, target, "wasm32-unknown-unknown", "web", "kzui_web.wasm")


def demo():
    """The trees of the demo, in the form of files in a recording."""
    files = []
    for tree in DEMO:
        for folder, _, names in os.walk(os.path.join(ROOT, "demo", tree)):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", newline="") as file:
                    shown = os.path.relpath(path, os.path.join(ROOT, "demo")).replace(os.sep, "/")
                    files.append({"path": shown, "content": {"text": file.read()}})
    files.sort(key=lambda file: file["path"])
    # `<` would be able to end the element.
    return json.dumps(files, ensure_ascii=False).replace("<", "\\u003c")


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page(wasm):
    style, script = read("page.css"), read("page.js")
    policy = "; ".join([
        "default-src 'none'",
        f"script-src {digest(script)} 'wasm-unsafe-eval' blob:",
        "worker-src blob:",
        f"style-src {digest(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ])
    parts = {
        "policy": policy,
        "style": style,
        "script": script,
        "worker": read("worker.js"),
        "demo": demo(),
        "engine": base64.b64encode(zopfli.zlib.compress(wasm, numiterations=15, blocksplittingmax=0)).decode(),
    }
    text = read("page.html")
    for name in ["policy", "style", "worker", "script", "demo", "engine"]:
        text = text.replace("{{" + name + "}}", parts[name], 1)
    return text.encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "web", "kzui.html"))
    parser.add_argument("--wasm", help="a module that is built already")
    options = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(options.output))
    os.makedirs(folder, exist_ok=True)
    with open(options.wasm or build(), "rb") as file:
        made = page(file.read())
    with open(options.output, "wb") as file:
        file.write(made)
    size = len(gzip.compress(made, 9))
    print(f"{options.output}: {len(made):,} bytes, {size:,} compressed")
    if size > LIMIT_BYTES:
        print(f"error: the compressed page is larger than {LIMIT_BYTES:,} bytes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
