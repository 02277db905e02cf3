#!/usr/bin/env python3
"""Plays the repairs of `repairs.toml` through `kzui mcp`, and holds its answers against the command line.

    python3 tests/clients/repairs.py --bin target/release/kzui [TASK]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib

from protocol import REPOSITORY, AgentServer

BLOCK = re.compile(r"^```\w+ ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_tree(task, folder):
    """The files of a page of `tests/tasks`, in a repository of their own."""
    with open(os.path.join(REPOSITORY, "tests", "tasks", f"{task}.md"), encoding="utf-8") as page:
        text = page.read()
    for words, content in BLOCK.findall(text):
        words = dict(word.split("=", 1) for word in words.split())
        if "file" in words:
            path = os.path.join(folder, words["file"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
    subprocess.run(["git", "init", "--quiet", folder], check=True)


def contents(folder):
    found = {}
    for directory, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def one_line(text):
    return " ".join(text.split())


def codes(binary, folder):
    run = subprocess.run(
        [binary, "check", ".", "--format", "json"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    return sorted(finding["code"] for finding in json.loads(run.stdout)["findings"])


def write_edits(folder, edits):
    for edit in edits:
        path = os.path.join(folder, edit.get("path", ""))
        if "diff" in edit:
            subprocess.run(["git", "apply", "-"], cwd=folder, input=edit["diff"], text=True, check=True)
        elif "old" in edit:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(edit["old"], edit["new"]))
        elif edit["text"] is None:
            os.remove(path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(edit["text"])


def play(binary, repair):
    """The problems of one repair."""
    problems = []

    def expect(what, answer, texts):
        found = one_line(answer)
        problems.extend(f"{what}: no `{text}` in: {answer}" for text in texts if one_line(text) not in found)

    with tempfile.TemporaryDirectory() as folder:
        write_tree(repair["task"], folder)
        before = contents(folder)
        agents = AgentServer(binary, folder)
        for tool, arguments, texts in repair["calls"]:
            done, text, document = agents.call(tool, **arguments)
            if not done:
                problems.append(f"{tool} {arguments}: refused: {text}")
            expect(f"{tool} {arguments}", json.dumps(document) if document else text, texts)
        edits = [{"path": it["path"], "text": None} if it.get("text_is_null") else it for it in repair["edits"]]
        if "diff" in edits[0]:
            arguments = {"diff": edits[0]["diff"]}
        else:
            arguments = {"edits": edits}
        done, text, _ = agents.call("try_edit", **arguments)
        expect("try_edit", text, repair["effect"])
        done, json_text, document = agents.call("try_edit", **arguments, format="json")
        if not done:
            return [*problems, f"try_edit: {json_text}"]
        gone = sorted(finding["code"] for finding in document["goneFindings"])
        new = sorted(finding["code"] for finding in document["newFindings"])
        if gone != sorted(repair["gone"]):
            problems.append(f"gone findings: {gone}")
        if new != sorted(repair.get("new", [])):
            problems.append(f"new findings: {document['newFindings']}")
        if contents(folder) != before:
            problems.append("a file was written")
        # The same edit, written: the command line finds what the trial has announced.
        old = codes(binary, folder)
        write_edits(folder, edits)
        left = codes(binary, folder)
        for code in gone:
            old.remove(code)
        if sorted(old + new) != left:
            problems.append(f"findings after the write: {left}, announced: {sorted(old + new)}")
        if agents.end() != 0:
            problems.append("the server ended with an error")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("task", nargs="?", default="", help="a part of the name of a task")
    arguments = parser.parse_args()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "repairs.toml"), "rb") as file:
        repairs = [it for it in tomllib.load(file)["repair"] if arguments.task in it["task"]]
    failed = 0
    for repair in repairs:
        problems = play(os.path.abspath(arguments.bin), repair)
        failed += bool(problems)
        for problem in problems:
            print(f"{repair['task']}: {problem}")
    print(f"repairs: {len(repairs) - failed} passed, {failed} failed")
    return 1 if failed or not repairs else 0


if __name__ == "__main__":
    sys.exit(main())
