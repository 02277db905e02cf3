#!/usr/bin/env python3
"""The page for browsers in headless Chromium: its answers are those of the program, and no request leaves it.

    page.py --bin target/debug/kzui [--page target/web/kzui.html] [--pictures DIR]

Without --page the page is built first, which needs the Rust target for browsers. Skipped with one line if this, Chromium or its
driver is not installed.
"""
import argparse
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WASM = "wasm32-unknown-unknown"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
START_SECONDS = 30
ANSWER_SECONDS = 120
# How many lines of each output are asked for their writers.
SAMPLE = 25
SECRET = "hunter2-hunter2"
PAIRS = {
    "kustomization.yaml": "resources: [a.yaml]\nsecretGenerator:\n- name: key\n  literals: [password=%s]\n" % SECRET,
    "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  \"<b>bold</b>\": \"<img src=x onerror=alert(1)>\"\n",
}
BAD = "# file: base/kustomization.yaml\nresources:\n- a.yaml\n# file: kustomization.yaml\nresources: [base]\nnamePrefix: [\n"


class Browser:
    """A page in Chromium, driven over the WebDriver protocol."""

    def __init__(self, scratch):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}/session"
        profile = tempfile.mkdtemp(dir=scratch)
        options = {"binary": chromium(), "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                made = self.send("POST", "", {"capabilities": {"alwaysMatch": wanted}})
                break
            except urllib.error.URLError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
        self.base += "/" + made["sessionId"]

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        end = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < end:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.05)
        state = self.run("return document.body.innerText.slice(0, 2000)")
        raise SystemExit(f"FAILS not seen in {ANSWER_SECONDS} s: {script}\n{state}")

    def key(self, key):
        self.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))", key)

    def give(self, path):
        """Opens a file through the button for files."""
        element = self.send("POST", "/element", {"using": "css selector", "value": "#files-input"})
        self.send("POST", f"/element/{element[ELEMENT]}/value", {"text": path})

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def missing(options):
    if not chromium() or not shutil.which("chromedriver"):
        return "Chromium or chromedriver is not installed"
    if options.page:
        return None
    if not shutil.which("cargo"):
        return "cargo is not installed"
    libraries = subprocess.run(["rustc", "--print", "target-libdir", "--target", WASM], capture_output=True, text=True)
    if libraries.returncode != 0 or not os.path.isdir(libraries.stdout.strip()):
        return f"the Rust target {WASM} is not installed"
    return None


faults = []


def check(name, holds, detail=""):
    if not holds:
        faults.append(name)
        print(f"FAILS {name} {detail}")


BUILT = "return document.getElementById('refusal').hidden === false || /version profile/.test(document.getElementById('status').textContent)"
OUTPUT = "return [...document.querySelectorAll('#output .text')].map((it) => it.textContent).join('\\n')"
COUNT = "return document.querySelectorAll('#output .out').length"


def build_of_page(browser, target):
    browser.run("""const it = document.getElementById('target'); it.value = arguments[0];
        document.getElementById('status').textContent = 'asked'; it.dispatchEvent(new Event('change'));""", target)
    browser.wait(BUILT)
    wait_for_output(browser)


def wait_for_output(browser):
    lines = browser.run("return document.getElementById('status').textContent.match(/(\\d+) lines?/)?.[1]")
    if lines:
        browser.wait(COUNT + " >= arguments[0]", int(lines))


def origins(browser, lines):
    """The final writer's location and the step of some lines, by selecting each line on the page."""
    found = {}
    for line in lines:
        browser.run("document.getElementById('line-' + arguments[0]).click()", line)
        text = browser.wait("""const it = document.getElementById('origin').textContent;
            return (it.startsWith('Line ' + arguments[0] + ':') || it.startsWith('Line ' + arguments[0] + ' has')) && it""", line)
        final = browser.run("""const it = document.querySelector('#origin li.final'); if (!it) return null;
            return [...it.querySelectorAll(':scope > button')].map((it) => it.textContent)""")
        if final and len(final) > 1:
            browser.wait("return document.querySelector('#origin .source') !== null")
        source = browser.run("return document.querySelector('#origin .source .chosen')?.textContent ?? null")
        found[line] = (final, source, text)
    return found


def run(binary, *words, cwd):
    environment = {**os.environ, "XDG_CONFIG_HOME": cwd + "/none", "XDG_STATE_HOME": cwd + "/none"}
    return subprocess.run([binary, *words], cwd=cwd, capture_output=True, text=True, env=environment)


MASKED = re.compile(r"<secret [0-9a-f]{8}>")


def blank(text):
    """A text without the salt of this run."""
    return MASKED.sub("<secret>", text)


def output_as_in_program(name, browser, binary, tree, *words):
    """The output on the page is that of `kzui build`; with values of Secrets, that of `kzui blame`."""
    page = browser.run(OUTPUT)
    lines = json.loads(run(binary, "blame", *words, "--json", cwd=tree).stdout)["lines"]
    if any(MASKED.search(line["text"]) for line in lines):
        expected = "\n".join(line["text"] for line in lines)
        check(f"{name}: output as in `kzui blame`", blank(page) == blank(expected))
    else:
        check(f"{name}: output as in `kzui build`", page + "\n" == run(binary, "build", *words, cwd=tree).stdout)
    return lines


def same_as_program(browser, binary, tree, target, folder):
    """Output, steps and writers on the page are those of the program; `folder` is that of the target."""
    if run(binary, "build", target, cwd=tree).returncode != 0:
        check(f"{target}: an error or a pending step", browser.run("return !document.getElementById('failure').hidden"))
        return
    lines = output_as_in_program(target, browser, binary, tree, target)
    steps = json.loads(run(binary, "trace", target, "--json", cwd=tree).stdout)["steps"]
    rows = browser.run("return document.querySelectorAll('#steps .step').length")
    check(f"{target}: steps as in `kzui trace`", rows == len(steps), f"{rows} and {len(steps)}")
    valued = [line for line in lines if line["values"]]
    sample = valued[:: max(1, len(valued) // SAMPLE)]
    found = origins(browser, [line["number"] for line in sample])
    for line in sample:
        value, number = line["values"][0], line["number"]
        final, source, _ = found[number]
        at = value["at"]
        place = at and os.path.normpath(os.path.join(folder, at["file"])) + (f":{at['line']}" if at["line"] else "")
        expected = [value["step"] and value["step"]["number"], place]
        seen = [int(re.match(r"step (\d+)", final[0])[1]), final[1] if len(final) > 1 else None] if final else [None, None]
        check(f"{target}: writer of line {number}", seen == expected, f"{seen}, expected {expected}")
        path = at and os.path.join(tree, folder, at["file"])
        if path and at["line"] and os.path.exists(path) and "<secret" not in (source or "") + line["text"]:
            with open(path) as file:
                row = file.read().splitlines()[at["line"] - 1]
            check(f"{target}: source of line {number}", source == str(at["line"]) + row, f"{source}, expected {row}")


def demo(browser, binary, tree):
    browser.run("document.getElementById('demo').click()")
    browser.wait(BUILT)
    targets = browser.run("return [...document.querySelectorAll('#target option')].map((it) => it.value)")
    check("the demo has targets", len(targets) > 3, str(targets))
    for target in targets:
        build_of_page(browser, target)
        same_as_program(browser, binary, tree, target, target)
    build_of_page(browser, "shop/overlays/production")
    first = browser.run("return document.querySelector('#steps [aria-selected=true]').dataset.number")
    browser.run("document.activeElement.blur()")
    browser.key("k")
    earlier = str(int(first) - 1)
    browser.wait("return document.querySelector('#steps [aria-selected=true]').dataset.number === arguments[0]", earlier)
    # Every step, with its changes.
    expected = json.loads(run(binary, "trace", "shop/overlays/production", "--json", "--diff", cwd=tree).stdout)["steps"]
    for step in expected:
        browser.run("document.getElementById('step-' + arguments[0]).click()", step["number"])
        browser.wait("return document.getElementById('diff').textContent.startsWith('Step ' + arguments[0] + ':')", step["number"])
        seen = browser.run("return [...document.querySelectorAll('#diff .patch')].map((it) => [...it.children].map((it) => it.textContent).join('\\n'))")
        diffs = ["\n".join(change["diff"].split("\n")[2:-1]) for change in step["changes"]]
        check(f"changes of step {step['number']}", [blank(it) for it in seen] == [blank(it) for it in diffs])
    browser.run("const it = document.getElementById('like'); it.value = 'v5.0.1'; document.getElementById('status').textContent = ''; it.dispatchEvent(new Event('change'))")
    browser.wait(BUILT)
    wait_for_output(browser)
    output_as_in_program("another profile", browser, binary, tree, "--like", "v5.0.1", "shop/overlays/production")


def recordings(browser, binary, tree, scratch):
    secret = os.path.join(tree, "secret")
    os.makedirs(secret)
    for name, text in PAIRS.items():
        with open(os.path.join(secret, name), "w") as file:
            file.write(text)
    for number, target in enumerate(["shop/overlays/production", "secret"]):
        path = os.path.join(scratch, f"{number}.kzui.json")
        recorded = run(binary, "record", target, "-o", path, cwd=tree)
        check(f"{target} is recorded", recorded.returncode == 0, recorded.stderr)
        browser.run("document.getElementById('other').hidden || document.getElementById('other').click()")
        browser.give(path)
        browser.wait(BUILT)
        wait_for_output(browser)
        if target == "secret":
            text = browser.run("return document.documentElement.textContent")
            check("a recording has no value of a Secret", SECRET not in text)
            check("no text became markup", browser.run("return document.querySelector('#work b, #work img') === null"))
        else:
            with open(path) as file:
                folder = json.load(file)["target"]
            same_as_program(browser, binary, tree, path, folder)
    # The same tree, pasted: masked unless requested.
    pasted = "".join(f"# file: {name}\n{text}" for name, text in PAIRS.items())
    paste(browser, pasted)
    visible = lambda: browser.run("return document.getElementById('work').textContent")
    encoded = base64.b64encode(SECRET.encode()).decode()
    check("values of Secrets are masked", SECRET not in visible() and encoded not in visible() and "<secret " in visible())
    browser.run("document.getElementById('status').textContent = ''; document.getElementById('values').click()")
    browser.wait(BUILT)
    wait_for_output(browser)
    check("values of Secrets are shown on request", encoded in visible())
    browser.run("document.getElementById('values').click()")
    browser.wait(BUILT)


def paste(browser, text):
    browser.run("document.getElementById('other').hidden || document.getElementById('other').click()")
    browser.run("document.getElementById('status').textContent = ''; document.getElementById('paste').value = arguments[0]; document.getElementById('build').click()", text)
    browser.wait(BUILT)
    wait_for_output(browser)


def bad_input(browser, scratch):
    paste(browser, BAD)
    failure = browser.run("return document.getElementById('failure').innerText")
    check("a bad tree: code, place and help", re.search(r"error KZ\d+: .*\n+at kustomization.yaml:\d+", failure), failure)
    check("a bad tree: the line is shown", browser.run("return document.querySelector('#failure .chosen') !== null"), failure)
    refusal = lambda: browser.run("return document.getElementById('refusal').innerText")
    paste(browser, "kind: Nothing\n")
    check("a text without a file name is refused", "help: begin each file" in refusal(), refusal())
    paste(browser, "# file: a.yaml\nkind: Nothing\n")
    check("files without a kustomization are refused", "no kustomization file" in refusal(), refusal())
    for name, text in [("damaged", '{"kzuiRecording": 1, "target'), ("newer", '{"kzuiRecording": 99}')]:
        path = os.path.join(scratch, name + ".json")
        with open(path, "w") as file:
            file.write(text)
        browser.run("document.getElementById('refusal').hidden = true")
        browser.give(path)
        browser.wait("return !document.getElementById('refusal').hidden")
        check(f"a {name} recording is refused", name in refusal(), refusal())
    # What exhausts the stack of the browser is an error, and the page goes on.
    deep = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\nspec: " + "[" * 9000 + "]" * 9000 + "\n"
    paste(browser, "# file: kustomization.yaml\nresources: [a.yaml]\n# file: a.yaml\n" + deep)
    check("deep nesting is an error", browser.run("return !document.getElementById('refusal').hidden || !document.getElementById('failure').hidden"))
    paste(browser, "# file: kustomization.yaml\nresources: [a.yaml]\n# file: a.yaml\napiVersion: v1\nkind: A\nmetadata:\n  name: a\n")
    check("the page goes on after a failure", "name: a" in browser.run(OUTPUT), refusal())


def no_requests(browser):
    entries = browser.send("POST", "/se/log", {"type": "performance"})
    urls = set()
    for entry in entries:
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.add(message["params"]["request"]["url"])
    outside = [url for url in urls if not url.startswith(("file:", "blob:", "data:"))]
    check("no request leaves the page", urls and not outside, str(outside))
    blocked = browser.run("""return new Promise((done) => { const it = new XMLHttpRequest();
        it.onerror = () => done(true); it.onload = () => done(false); it.open('GET', location.href); it.send(); })""")
    check("the page cannot make a request", blocked)
    logs = [it["message"] for it in browser.send("POST", "/se/log", {"type": "browser"}) if it["level"] == "SEVERE"]
    own = [text for text in logs if "Content Security Policy" not in text and "XMLHttpRequest" not in text and "Maximum call stack" not in text]
    check("no error on the console", not own, str(own))


def pictures(browser, folder):
    os.makedirs(folder, exist_ok=True)
    for scheme in ["light", "dark"]:
        browser.send("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": scheme}]}})
        for width, height in [(390, 844), (1280, 800), (1920, 1080)]:
            browser.send("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})
            browser.run("document.getElementById('other').hidden || document.getElementById('other').click()")
            shot(browser, folder, f"start-{scheme}-{width}")
            browser.run("document.getElementById('status').textContent = ''; document.getElementById('demo').click()")
            browser.wait(BUILT)
            wait_for_output(browser)
            browser.run("[...document.querySelectorAll('#output .out')].find((it) => it.textContent.includes('replicas:')).click()")
            browser.wait("return document.querySelector('#origin .source .chosen') !== null")
            shot(browser, folder, f"build-{scheme}-{width}")
            wide = browser.run("return document.documentElement.scrollWidth <= innerWidth")
            check(f"{width} wide: as wide as the window", wide)
            paste(browser, BAD)
            shot(browser, folder, f"bad-{scheme}-{width}")


def shot(browser, folder, name):
    with open(os.path.join(folder, name + ".png"), "wb") as file:
        file.write(base64.b64decode(browser.send("GET", "/screenshot")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--page")
    parser.add_argument("--pictures")
    options = parser.parse_args()
    reason = missing(options)
    if reason:
        print(f"skipped: the page for browsers: {reason}")
        return 0
    binary = os.path.abspath(options.bin)
    with tempfile.TemporaryDirectory() as scratch:
        page = options.page
        if not page:
            page = os.path.join(scratch, "kzui.html")
            packed = subprocess.run([sys.executable, os.path.join(ROOT, "assets", "web", "package.py"), "--output", page])
            if packed.returncode != 0:
                return 1
        tree = os.path.join(scratch, "demo")
        shutil.copytree(os.path.join(ROOT, "demo"), tree)
        browser = Browser(scratch)
        try:
            # Until here, the log has the requests of the browser's own first page.
            browser.send("POST", "/url", {"url": "about:blank"})
            browser.send("POST", "/se/log", {"type": "performance"})
            browser.send("POST", "/url", {"url": "file://" + os.path.abspath(page)})
            browser.wait("return document.getElementById('status').textContent === 'Ready.' || !document.getElementById('refusal').hidden")
            demo(browser, binary, tree)
            recordings(browser, binary, tree, scratch)
            bad_input(browser, scratch)
            if options.pictures:
                pictures(browser, options.pictures)
            no_requests(browser)
        finally:
            browser.close()
    print(f"page: {len(faults)} faults" if faults else "page: passed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
