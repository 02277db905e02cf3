"use strict";
// Text of the files reaches the page as text nodes only. The page asks the worker; no request leaves it.
const $ = (id) => document.getElementById(id);
const MAX_FILE_BYTES = 8 << 20;
const MAX_TREE_BYTES = 64 << 20;
const LINES_PER_FRAME = 1500;
const SLOW_MILLISECONDS = 1500;
const EXAMPLE = `# file: overlay/kustomization.yaml
resources: [../base]
replicas:
- name: web
  count: 3
# file: base/kustomization.yaml
resources: [web.yaml]
namePrefix: shop-
# file: base/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
`;

/* Elements */

// Control and bidirectional characters would hide or reorder text.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const shown = (text) => String(text).replace(UNSAFE, (c) => `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);

function make(tag, name, ...content) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  for (const part of content) if (part !== null && part !== undefined) node.append(part instanceof Node ? part : shown(part));
  return node;
}

function link(text, action) {
  const node = make("button", "link mono", text);
  node.type = "button";
  node.onclick = action;
  return node;
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/* The worker */

let worker, pending = new Map(), serial = 0, busy = null;

function ask(message) {
  clearTimeout(busy);
  busy = setTimeout(() => { $("stop").hidden = pending.size === 0; }, SLOW_MILLISECONDS);
  return new Promise((resolve) => {
    pending.set(++serial, resolve);
    worker.postMessage({ id: serial, ...message });
  });
}

async function query(request) {
  const { answer, fault } = await ask({ request: JSON.stringify(request) });
  if (fault !== undefined) {
    const deep = /call stack|stack overflow/i.test(fault);
    throw { message: deep ? "the files are nested too deeply for the browser" : `kzui failed: ${fault}`,
            help: deep ? "build them with the program kzui" : "report this message, with the files if you can; other files can be opened now" };
  }
  if (answer.refusal) throw answer.refusal;
  return answer;
}

async function startWorker() {
  const url = URL.createObjectURL(new Blob([$("thread").textContent], { type: "text/javascript" }));
  worker = new Worker(url);
  const settle = (id, message) => {
    const resolve = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) { clearTimeout(busy); $("stop").hidden = true; }
    resolve?.(message);
  };
  worker.onmessage = ({ data }) => settle(data.id, data);
  worker.onerror = (event) => [...pending.keys()].forEach((id) => settle(id, { fault: event.message || "the worker ended" }));
  const bytes = (id) => Uint8Array.from(atob($(id).textContent.trim()), (c) => c.charCodeAt(0));
  const { fault } = await ask({ unpack: bytes("unpack"), packed: bytes("engine") });
  if (fault !== undefined) throw { message: `the page cannot start: ${fault}`, help: "use a browser of 2023 or later" };
}

async function stop() {
  worker.terminate();
  const waiting = [...pending.values()];
  pending.clear();
  $("stop").hidden = true;
  await startWorker().catch(refuse);
  waiting.forEach((resolve) => resolve({ answer: { refusal: { message: "stopped", help: "open the files again, or a smaller part of them" } } }));
}

/* Files */

async function contentOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (_) {
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return { base64: btoa(binary) };
  }
}

// Of git, the settings name the repository of deployment objects; nothing else is read.
function isWanted(path) {
  const parts = path.split("/");
  const git = parts.indexOf(".git");
  return !parts.includes("node_modules") && (git < 0 || ["HEAD", "config"].includes(parts.slice(git + 1).join("/")));
}

async function openFiles(entries) {
  const wanted = entries.filter(([path]) => isWanted(path));
  const large = wanted.filter(([, file]) => file.size > MAX_FILE_BYTES);
  const small = wanted.filter(([, file]) => file.size <= MAX_FILE_BYTES);
  if (small.length === 0) return refuse({ message: "no file to open", help: "open a folder with a kustomization file" });
  if (small.reduce((sum, [, file]) => sum + file.size, 0) > MAX_TREE_BYTES) {
    return refuse({ message: `the files have more than ${MAX_TREE_BYTES >> 20} MB`, help: "open only the folder with the kustomizations, or a recording of one target" });
  }
  status("Reading files …");
  const files = await Promise.all(small.map(async ([path, file]) => ({ path, content: await contentOf(file) })));
  await openContents(files, large.length ? `${count(large.length, "file")} above ${MAX_FILE_BYTES >> 20} MB left out` : "");
}

const isRecording = (text) => text !== undefined && /^\s*\{\s*"kzuiRecording"/.test(text.slice(0, 64));

async function openContents(files, note = "", preferred = "") {
  const recording = files.length === 1 && isRecording(files[0].content.text);
  const top = files[0].path.split("/")[0] + "/";
  const shared = files.every(({ path }) => path.startsWith(top));
  const tree = shared ? files.map((file) => ({ ...file, path: file.path.slice(top.length) })) : files;
  await open(recording ? { ask: "recording", text: files[0].content.text } : { ask: "files", files: tree }, note, preferred);
}

function pastedFiles(text) {
  if (isRecording(text)) return [{ path: "pasted", content: { text } }];
  const files = [];
  for (const line of text.split(/(?<=\n)/)) {
    const header = line.match(/^# file: *(\S.*?)\s*$/);
    if (header) files.push({ path: header[1].replace(/^(\.?\/)+/, ""), content: { text: "" } });
    else if (files.length) files[files.length - 1].content.text += line;
    else if (line.trim()) throw { message: "the first line names no file", help: "begin each file with a line like `# file: base/kustomization.yaml`" };
  }
  if (files.length === 0) throw { message: "no file is pasted", help: "begin each file with a line like `# file: base/kustomization.yaml`" };
  return files;
}

async function entriesOf(item) {
  if (item.isFile) return [[item.fullPath.slice(1), await new Promise((resolve, reject) => item.file(resolve, reject))]];
  if (!isWanted(item.fullPath) && item.name !== ".git") return [];
  const reader = item.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some.filter((it) => it.isDirectory || isWanted(it.fullPath)));
  }
  if (item.name === ".git") return (await Promise.all(all.filter((it) => it.isFile).map(entriesOf))).flat();
  return (await Promise.all(all.map(entriesOf))).flat();
}

/* State and messages */

let build = null, tab = 0, line = 0, drawing = 0, asked = 0;

function status(text) { $("status").textContent = shown(text); }

function refuse(error) {
  const { message = String(error), help } = error ?? {};
  $("refusal").replaceChildren(make("p", "", make("strong", "", "error: "), message), ...(help ? [make("p", "", "help: " + help)] : []));
  $("refusal").hidden = false;
  status("");
}

const guarded = (action) => async (...all) => {
  $("refusal").hidden = true;
  try { await action(...all); } catch (error) { refuse(error); }
};

async function open(request, note, preferred) {
  status("Reading files …");
  const { targets, profiles } = await query(request);
  const option = ({ name }) => { const it = make("option", "", name); it.value = name; return it; };
  const group = (label, rows) => {
    const it = make("optgroup", "", ...rows.map(option));
    it.label = label;
    return rows.length ? [it] : [];
  };
  $("target").replaceChildren(...group("Targets", targets.filter((it) => it.isTarget)), ...group("Bases", targets.filter((it) => !it.isTarget)));
  $("target").value = targets.some(({ name }) => name === preferred) ? preferred : targets[0].name;
  const own = make("option", "", "as in the files");
  own.value = "";
  $("like").replaceChildren(own, ...profiles.map((name) => option({ name })));
  $("start").hidden = true;
  $("work").hidden = false;
  $("other").hidden = false;
  await show(note);
}

async function show(note = "") {
  const mine = ++asked;
  status("Building …");
  const salt = $("values").checked ? null : [...crypto.getRandomValues(new Uint8Array(16))];
  let answer;
  try {
    answer = await query({ ask: "build", target: $("target").value, like: $("like").value || null, salt });
  } catch (error) {
    // The panes would show the build of another selection.
    build = null;
    $("panes").hidden = true;
    $("failure").hidden = true;
    throw error;
  }
  if (mine !== asked) return;
  build = answer;
  $("panes").hidden = false;
  tab = line = 0;
  const { trace, lines, resources } = build;
  const pendingCount = trace.waiting.length;
  const parts = [count(trace.steps.length, "step"), `version profile ${build.profile}`];
  if (trace.ok) parts.splice(1, 0, count(resources.length, "resource"), count(lines.length, "line"));
  if (pendingCount) parts.push(`${pendingCount} pending`);
  status([...parts, ...trace.warnings, note].filter(Boolean).join(" · "));
  await drawFailure();
  drawSteps();
  drawOutput();
  $("origin").replaceChildren(make("p", "muted", trace.ok ? "Select a line of the output." : "No output."));
  const last = trace.steps.findLast(({ added, changed, removed, outcome }) => added + changed + removed || outcome === "failed");
  await selectStep((last ?? trace.steps[0])?.number ?? 0);
}

/* Paths of the reports are relative to the target; shown relative to the files. */
function place(file) {
  if (file.includes("://") || file.startsWith("/")) return file;
  const parts = build.directory === "." ? [] : build.directory.split("/");
  for (const part of file.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/") || ".";
}

const locationText = (at) => at ? place(at.file) + (at.line ? `:${at.line}` : "") : "";

async function sourceOf(at) {
  const { first, lines } = await query({ ask: "source", file: at.file, line: at.line });
  const body = make("div", "", ...lines.map((text, index) => {
    const row = make("div", "src mono", make("span", "n", first + index), make("span", "", text));
    // An error at the end of a file can be on the line after the last one.
    if (first + index === Math.min(at.line, first + lines.length - 1)) row.classList.add("chosen");
    return row;
  }));
  const frame = make("div", "source", make("h3", "mono", locationText(at)), body);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", locationText(at));
  requestAnimationFrame(() => {
    const chosen = frame.querySelector(".chosen");
    if (chosen) frame.scrollTop = chosen.offsetTop - frame.offsetTop - frame.clientHeight / 3;
  });
  return frame;
}

async function drawFailure() {
  const { error, waiting } = build.trace;
  const box = $("failure");
  box.hidden = !error && waiting.length === 0;
  box.className = error ? "" : "pending";
  if (error) {
    const rows = [make("p", "", make("strong", "", `error ${error.code}: `), error.message)];
    if (error.at) rows.push(make("p", "mono", "at " + locationText(error.at)));
    rows.push(...error.context.map(({ entry, at }) => make("p", "muted", `in ${entry}${at ? ` (${locationText(at)})` : ""}`)));
    if (error.hint) rows.push(make("p", "", "help: " + error.hint));
    if (error.at?.line) rows.push(await sourceOf(error.at).catch(() => null));
    box.replaceChildren(...rows.filter(Boolean));
  } else if (waiting.length) {
    box.replaceChildren(
      make("p", "", make("strong", "", "pending: "), "output not known"),
      ...waiting.map((text) => make("p", "", text)),
      make("p", "muted", "The page fetches nothing and runs no program. Open a recording of the target: kzui record TARGET -o FILE"));
  }
}

/* Steps and changes */

const OUTCOMES = { noChange: "no change", matchedNothing: "no match", switchedOff: "switched off", waiting: "pending", failed: "failed" };

function counts({ added, changed, removed, outcome, field }) {
  if (added + changed + removed === 0) {
    const word = outcome === "matchedNothing" && !field ? "no change" : OUTCOMES[outcome] ?? "";
    return make("span", `counts ${{ failed: "failed", waiting: "pending" }[outcome] ?? ""}`, word);
  }
  return make("span", "counts", ...[[added, "+", "plus"], [changed, "~", ""], [removed, "−", "minus"]]
    .filter(([number]) => number).map(([number, sign, name]) => make("span", name, `${sign}${number} `)));
}

function drawSteps() {
  $("steps").replaceChildren(...build.trace.steps.map((step, index) => {
    const row = make("div", "step", make("span", "n mono", step.number), make("span", "what", build.titles[index]), counts(step), make("span", "layer", step.layer));
    row.setAttribute("role", "option");
    row.id = `step-${step.number}`;
    row.dataset.number = step.number;
    if (step.added + step.changed + step.removed === 0) row.classList.add("same");
    return row;
  }));
}

function mark(list, row) {
  list.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
  if (!row) return;
  row.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", row.id);
  const [top, box] = [list.getBoundingClientRect().top, row.getBoundingClientRect()];
  if (box.top < top) list.scrollTop -= top - box.top + box.height;
  else if (box.bottom > top + list.clientHeight) list.scrollTop += box.bottom - top - list.clientHeight + box.height;
}

const nameOf = ({ kind, name, namespace }) => `${kind}/${name}` + (namespace ? ` in ${namespace}` : "");

async function selectStep(number) {
  const step = build?.trace.steps[number - 1];
  if (!step) return $("diff").replaceChildren(make("p", "muted", "No step."));
  tab = number;
  mark($("steps"), $(`step-${number}`));
  const { changes } = await query({ ask: "step", number });
  if (tab !== number) return;
  const head = [make("p", "", `Step ${number}: `, make("strong", "", build.titles[number - 1]), ` in ${step.layer}`)];
  if (step.at) head.push(make("p", "", link(locationText(step.at), guarded(async () => $("diff").append(await sourceOf(step.at))))));
  if (step.detail) head.push(make("p", step.outcome === "failed" ? "failed" : "pending", step.detail));
  if (changes.length === 0) head.push(make("p", "muted", "No changes."));
  $("diff").replaceChildren(...head, ...changes.flatMap(({ before, after, diff }) => {
    const name = before && after && nameOf(before) !== nameOf(after) ? `${nameOf(before)} → ${nameOf(after)}` : nameOf(after ?? before);
    const rows = diff.split("\n").slice(2, -1).map((text) => {
      const kind = { "+": "add", "-": "del", "@": "hunk" }[text[0]] ?? "";
      return make("div", kind, text);
    });
    return [make("h3", "", (before ? after ? "" : "Removed: " : "Added: ") + name), make("div", "patch mono", ...rows)];
  }));
  $("diff").scrollTop = 0;
}

/* Output and writers */

function drawOutput() {
  const list = $("output"), mine = ++drawing, lines = build.lines;
  list.replaceChildren();
  let at = 0, group = null;
  const draw = () => {
    if (mine !== drawing) return;
    const end = Math.min(at + LINES_PER_FRAME, lines.length);
    for (; at < end; at++) {
      const { number, text, values } = lines[at];
      if (!group || text === "---") list.append(group = make("div", "group mono"));
      const origin = values[0]?.at;
      const cell = make("span", "at");
      if (origin) cell.textContent = "\u200e" + shown(locationText(origin));
      const row = make("div", "out", make("span", "n", number), cell, make("span", "text", text));
      row.setAttribute("role", "option");
      row.id = `line-${number}`;
      row.dataset.number = number;
      group.append(row);
    }
    if (at < lines.length) requestAnimationFrame(draw);
  };
  draw();
  if (lines.length === 0) list.append(make("p", "muted", build.trace.ok ? "Empty output." : build.trace.error ? "No output: the build failed." : "Output not known: a step is pending."));
}

function stepLink(step) {
  if (!step) return "no step";
  return link(`step ${step.number} ${step.field || step.name} ${step.argument}`.trim(), guarded(() => selectStep(step.number)));
}

const STANDINGS = { wins: "final value", part: "part of the value", overruled: "overridden" };

function writerRow({ standing, value, equal, at, also = [], hashed, step, configurationVerified, sources = [] }, read) {
  const notes = [equal ? "same value as before" : "", hashed ? "with a hash of the content" : "", configurationVerified === false ? "not verified" : ""].filter(Boolean);
  const row = make("li", standing === "wins" ? "final" : "", `${STANDINGS[standing]}: `,
    make("code", "", value === null ? "removed" : value), notes.length ? ` (${notes.join(", ")})` : "", make("br"), stepLink(step));
  for (const further of [at, ...also].filter(Boolean)) row.append(make("br"), link(locationText(further), () => read(further)));
  for (const source of sources) {
    row.append(make("br"), `from ${source.resource} ${source.path}`, make("ul", "", ...source.writers.slice(0, 1).map((it) => writerRow(it, read))));
  }
  return row;
}

async function selectLine(number) {
  if (!build?.lines[number - 1]) return;
  line = number;
  mark($("output"), $(`line-${number}`));
  const { values } = await query({ ask: "why", line: number });
  if (line !== number) return;
  const pane = $("origin");
  if (values.length === 0) {
    pane.replaceChildren(make("p", "muted", `Line ${number} has no value: its key comes from the values below it.`));
    return;
  }
  const holder = make("div");
  const read = guarded(async (at) => holder.replaceChildren(await sourceOf(at)));
  const rows = values.flatMap((answer) => answer.fields.flatMap(({ path, writers }) => [
    make("p", "", `Line ${number}: `, make("code", "", path), ` of ${answer.resource}`),
    make("ul", "", ...writers.map((writer) => writerRow(writer, read))),
  ]).concat(answer.missed.length ? [make("p", "muted", "Entries that did not write it:"), make("ul", "", ...answer.missed.map(
    ({ code, reason, at }) => make("li", "", `${code}: ${reason} `, at ? link(locationText(at), () => read(at)) : null)))] : []));
  pane.replaceChildren(...rows, holder);
  pane.scrollTop = 0;
  const at = build.lines[number - 1].values[0]?.at;
  if (at) await read(at);
  if (matchMedia("(max-width: 760px)").matches) pane.parentElement.scrollIntoView({ block: "nearest" });
}

/* Events */

function choose(list, select, current, last) {
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (row && String(getSelection()) === "") guarded(select)(Number(row.dataset.number));
  });
  list.addEventListener("keydown", (event) => {
    const moves = { ArrowDown: current() + 1, ArrowUp: current() - 1, PageDown: current() + 15, PageUp: current() - 15, Home: 1, End: last() };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    guarded(select)(Math.max(1, Math.min(last(), moves[event.key])));
  });
}

choose($("steps"), selectStep, () => tab, () => build?.trace.steps.length ?? 0);
choose($("output"), selectLine, () => line, () => build?.lines.length ?? 0);
document.addEventListener("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || !build || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, select, input")) return;
  guarded(selectStep)(Math.max(1, Math.min(build.trace.steps.length, tab + step)));
});

function restart() {
  build = null;
  asked++;
  drawing++;
  for (const id of ["work", "other", "refusal"]) $(id).hidden = true;
  $("start").hidden = false;
  status("Ready.");
}

$("paste").value = EXAMPLE;
$("folder").onclick = () => $("folder-input").click();
$("files").onclick = () => $("files-input").click();
for (const id of ["folder-input", "files-input"]) {
  $(id).onchange = guarded(async ({ target }) => {
    const files = [...target.files];
    // The same file can be selected again.
    target.value = "";
    if (files.length) await openFiles(files.map((file) => [file.webkitRelativePath || file.name, file]));
  });
}
$("demo").onclick = guarded(() => open({ ask: "files", files: JSON.parse($("tree").textContent) }, "", "shop/overlays/production"));
$("build").onclick = guarded(() => open(isRecording($("paste").value) ? { ask: "recording", text: $("paste").value } : { ask: "files", files: pastedFiles($("paste").value) }, "", ""));
$("other").onclick = restart;
$("stop").onclick = stop;
$("choices").onsubmit = (event) => event.preventDefault();
for (const id of ["target", "like", "values"]) $(id).onchange = guarded(() => show());
document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("over"); });
document.addEventListener("drop", guarded(async (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  await openFiles((await Promise.all(items.map(entriesOf))).flat());
}));

startWorker().then(() => status("Ready."), refuse);
