#!/usr/bin/env python3
"""The first outputs of the README, in the public repository and at the commit that it names.

    python3 tests/clients/readme.py --bin target/release/kzui [--clone FOLDER]

Without --clone the repository is cloned; if it cannot be reached, the script is skipped with one line.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
README = os.path.join(HERE, "..", "..", "README.md")
CLONE_SECONDS = 300


def clone(source, folder):
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "clone", "--quiet", source, folder]
    try:
        return subprocess.run(command, env=environment, timeout=CLONE_SECONDS, capture_output=True).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--clone", help="a clone of the repository, which stays as it is")
    arguments = parser.parse_args()
    with open(README, encoding="utf-8") as file:
        text = file.read()
    address, commit = re.search(r"\]\((https://\S+)\) at its commit (\w+)", text).groups()
    examples = re.findall(r"```text\n\$ (.*)\n((?s:.*?))```", text)
    if len(examples) != 3:
        sys.exit(f"README.md has {len(examples)} outputs of {address}, not 3")
    with tempfile.TemporaryDirectory() as home:
        folder = os.path.join(home, "repository")
        if not clone(arguments.clone or address, folder):
            print(f"skipped: {address} cannot be cloned")
            return 0
        subprocess.run(["git", "-C", folder, "checkout", "--quiet", commit], check=True)
        path = os.path.dirname(os.path.abspath(arguments.bin)) + os.pathsep + os.environ["PATH"]
        environment = {**os.environ, "HOME": home, "PATH": path}
        failed = 0
        for line, shown in examples:
            run = subprocess.run(line, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
            if run.stdout != shown:
                failed = 1
                print(f"README.md: {line} prints\n{run.stdout}")
    print(f"README.md: {len(examples)} outputs of {address} at {commit}: {'different' if failed else 'the same'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
