#!/usr/bin/env python3
"""Builds the page of kzui for browsers: one HTML file with everything in it, which can be opened from disk.

    package.py [--output target/web/kzui.html] [--wasm FOLDER]

Needs the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`). Fails if the compressed page is larger than the
limit.
"""
import argparse
import base64
import gzip
import hashlib
import json
import lzma
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEMO = ["shop", "components"]
LIMIT_BYTES = 1_500_000


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def build():
    """The folder with the built WebAssembly modules."""
    crates = ["-p", "kzui-web", "-p", "kzui-unpack"]
    command = ["cargo", "build", "--locked", *crates, "--profile", "web", "--target", "wasm32-unknown-unknown"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return os.path.join(ROOT, target, "wasm32-unknown-unknown", "web")


def module(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def packed(wasm):
    """The bytes as LZMA, a quarter smaller than what browsers unpack themselves (`src/unpack`)."""
    # The best setting for WebAssembly, whose instructions are aligned to bytes.
    setting = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}
    return lzma.compress(wasm, format=lzma.FORMAT_ALONE, filters=[setting])


def text_of(data):
    return base64.b64encode(data).decode()


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


def page(folder):
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
        "unpack": text_of(module(folder, "kzui_unpack.wasm")),
        "engine": text_of(packed(module(folder, "kzui_web.wasm"))),
    }
    text = read("page.html")
    for name in ["policy", "style", "worker", "script", "demo", "unpack", "engine"]:
        text = text.replace("{{" + name + "}}", parts[name], 1)
    return text.encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default=os.path.join(ROOT, "target", "web", "kzui.html"))
    parser.add_argument("--wasm", metavar="FOLDER", help="the folder with the modules, if they are built already")
    options = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(options.output))
    os.makedirs(folder, exist_ok=True)
    made = page(options.wasm or build())
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
