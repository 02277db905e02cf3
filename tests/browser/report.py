#!/usr/bin/env python3
"""The page of `kzui diff --format html` in a real browser: opened from disk, searched, slid, in light and dark.

    report.py --bin target/debug/kzui [--browser chromium] [--pictures DIR]

A repository is made, two of its commits are compared, and a headless Chromium opens the page. What a reader does is done by a
script that is put behind the page's own; what came of it is read from the document. With --pictures, pictures are kept to be
looked at. Says `skipped` where there is no such browser. Standard library only.
"""
import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WEB = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: %s
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: example.com/web:%s
"""
# What a reader does, and what is to be seen then. `shown` is what the main pane says, `list` what the navigation lists.
ACTS = r"""
const told = [];
const shown = () => document.getElementById("main").textContent;
const list = () => [...document.querySelectorAll("#list button")].map((it) => it.textContent);
const is = (name, holds) => told.push([name, Boolean(holds)]);
const set = (id, value, kind) => { const it = document.getElementById(id); it.value = value; it.dispatchEvent(new Event(kind)); };
const count = list().length;
is("both edits are listed", count === 2);
is("the first cause is open", document.querySelector("#list [aria-current=true]") === document.querySelector("#list button"));
is("words are marked", [...document.querySelectorAll("td.old mark")].some((it) => it.textContent === "1"));
is("only what differs is marked", ![...document.querySelectorAll("mark")].some((it) => it.textContent.includes("example.com")));
set("search", "replicas", "input");
is("a search leaves what fits", list().length === 1 && shown().includes("spec.replicas"));
set("search", "no such thing", "input");
is("a search that finds nothing says so", shown() === "nothing found");
set("search", "", "input");
const slider = document.getElementById("slider");
is("the slider is there", !document.getElementById("sliding").hidden && slider.max === String(count - 1));
const first = shown();
set("slider", "1", "input");
is("the slider goes to the second cause", shown() !== first && document.getElementById("at").textContent === "2 of 2");
set("by", "step", "change");
is("by step: in the order of the build", list().length > 1 && list().every((it) => /^step \d+ /.test(it)));
is("by step: the slider counts steps", document.getElementById("what").textContent === "step");
const numbers = list().map((it) => Number(it.match(/^step (\d+)/)[1]));
is("by step: sorted", numbers.every((it, at) => at === 0 || numbers[at - 1] <= it));
set("by", "target", "change");
is("by target", list().some((it) => it.startsWith("dev")) && list().some((it) => it.startsWith("prod")));
is("what is new is told", document.getElementById("list").textContent.includes("fresh is new"));
document.dispatchEvent(new KeyboardEvent("keydown", { key: "j" }));
is("j goes on", document.getElementById("at").textContent.startsWith("2 of"));
const colour = () => getComputedStyle(document.body).backgroundColor;
const before = colour();
document.getElementById("theme").click();
is("the button changes light and dark", colour() !== before);
document.getElementById("theme").click();
is("and back", colour() === before);
is("nothing is fetched", performance.getEntriesByType("resource").length === 0);
is("no text became markup", document.querySelector("main b, nav b") === null && document.body.textContent.includes("<b>bold</b>"));
is("it is as wide as the window", document.documentElement.scrollWidth <= innerWidth);
const out = document.createElement("pre");
out.id = "told";
out.textContent = JSON.stringify({ told, colour: before });
document.body.append(out);
"""


def write(top, path, text):
    path = os.path.join(top, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def git(top, *words):
    subprocess.run(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", *words], cwd=top, check=True)


def repository(top):
    write(top, "base/kustomization.yaml", "resources: [web.yaml]\n")
    write(top, "base/web.yaml", WEB % (1, 1))
    write(top, "dev/kustomization.yaml", "resources: [../base]\nnamePrefix: dev-\n")
    write(top, "prod/kustomization.yaml", "resources: [../base]\nnamePrefix: prod-\n")
    git(top, "init", "-q")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "First")
    write(top, "base/web.yaml", WEB % (1, 2))
    write(top, "prod/kustomization.yaml", "resources: [../base]\nnamePrefix: prod-\nreplicas:\n- {name: web, count: 3}\n")
    write(top, "fresh/kustomization.yaml", "resources: [../base]\nnamePrefix: fresh-\n")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "A newer <b>bold</b> web")


def browse(browser, scratch, page, *flags):
    profile = tempfile.mkdtemp(dir=scratch)
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
               f"--user-data-dir={profile}", "--hide-scrollbars", *flags, f"file://{page}"]
    done = subprocess.run(command, capture_output=True, timeout=300)
    return done.stdout.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "target/debug/kzui"))
    parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--pictures")
    options = parser.parse_args()
    if not options.browser or not shutil.which(options.browser):
        print("skipped: there is no chromium")
        return 0
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        top = os.path.join(scratch, "repository")
        repository(top)
        made = subprocess.run([os.path.abspath(options.bin), "diff", "HEAD~1", "HEAD", "--format", "html"], cwd=top,
                              capture_output=True, text=True)
        if made.returncode != 1:
            raise SystemExit(f"kzui diff: {made.returncode} {made.stderr}")
        page = os.path.join(scratch, "page.html")
        colours = []
        for name, scheme in [("light", 1), ("dark", 0)]:
            setting = f"--blink-settings=preferredColorScheme={scheme}"
            with open(page, "w") as file:
                file.write(made.stdout)
            if options.pictures:
                for width, height in [(1280, 800), (640, 900)]:
                    picture = os.path.join(os.path.abspath(options.pictures), f"{name}-{width}.png")
                    browse(options.browser, scratch, page, setting, f"--window-size={width},{height}", f"--screenshot={picture}")
            with open(page, "w") as file:
                file.write(made.stdout.replace("</body>", f"<script>{ACTS}</script></body>"))
            document = browse(options.browser, scratch, page, setting, "--window-size=1280,800", "--dump-dom")
            found = re.search(r'<pre id="told">(.*?)</pre>', document, re.S)
            if not found:
                raise SystemExit(f"the page did not come up: {document[-2000:]}")
            told = json.loads(html.unescape(found[1]))
            colours.append(told["colour"])
            for what, holds in told["told"]:
                print(f"{name:5} {'ok    ' if holds else 'FAILS '} {what}")
                faults += [] if holds else [what]
        if colours[0] == colours[1]:
            faults.append("light and dark are the same")
            print("FAILS light and dark are the same")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
