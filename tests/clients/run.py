#!/usr/bin/env python3
"""Both servers, `kzui diff --live` and the page for browsers with real clients, and the README in a public repository. What
is not installed, or cannot be reached, is skipped with one line.

    python3 tests/clients/run.py --bin target/release/kzui [--neovim nvim] [--modules node_modules] [--node node]
"""
import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
NEOVIM_SECONDS = 600


def neovim(binary, program):
    path = shutil.which(program)
    if path is None:
        print("skipped: Neovim is not installed")
        return True
    with tempfile.TemporaryDirectory() as folder:
        shop = os.path.join(os.path.realpath(folder), "shop")
        shutil.copytree(os.path.join(REPOSITORY, "demo", "shop"), shop)
        subprocess.run(["git", "init", "--quiet", shop], check=True)
        environment = {**os.environ, "KZUI_BIN": binary, "HOME": folder, "XDG_STATE_HOME": folder}
        script = os.path.join(HERE, "editor.lua")
        # An error in the script leaves Neovim open: the second command ends it.
        command = [path, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {script}", "-c", "cquit 2"]
        run = subprocess.run(
            command, cwd=shop, env=environment, stderr=subprocess.PIPE, text=True, timeout=NEOVIM_SECONDS
        )
        if run.returncode != 0:
            print(run.stderr)
        return run.returncode == 0


def pytest_lsp(binary):
    if importlib.util.find_spec("pytest_lsp") is None:
        print("skipped: pytest-lsp is not installed")
        return True
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE]
    environment = {**os.environ, "KZUI_BIN": binary, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=HERE, env=environment).returncode == 0


def script(name, *flags):
    if sys.version_info < (3, 11):
        print(f"skipped: {name} needs Python 3.11")
        return True
    return subprocess.run([sys.executable, os.path.join(HERE, name), *flags]).returncode == 0


def named(arguments):
    return ["--node", arguments.node] if arguments.node else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--neovim", default="nvim")
    parser.add_argument("--modules", default=os.path.join(REPOSITORY, "node_modules"))
    parser.add_argument("--node", help="by default the one that npm installed, else that on PATH")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.bin)
    sys.stdout.reconfigure(line_buffering=True)
    results = [
        neovim(binary, arguments.neovim),
        pytest_lsp(binary),
        script("repairs.py", "--bin", binary),
        script("cluster.py", "--bin", binary),
        script("page.py", "--bin", binary),
        script("readme.py", "--bin", binary),
        script("agents.py", "--bin", binary, "--modules", arguments.modules, *named(arguments)),
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
