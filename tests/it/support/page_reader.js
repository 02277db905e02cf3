// Runs the script of a page in a minimal document, and prints the texts of its parts.
// Usage: node page_reader.js PAGE [SELECT=VALUE ...]
"use strict";
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const data = /<script id="data"[^>]*>([\s\S]*?)<\/script>/.exec(page)[1];
const script = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].pop()[1];
class Element {
  constructor(tag) { this.tag = tag; this.children = []; this.attributes = {}; this.listeners = {}; this.dataset = {}; }
  append(...all) { for (const it of all) this.children.push(typeof it === "string" ? { text: it } : it); }
  replaceChildren(...all) { this.children = []; this.append(...all); }
  get textContent() { return this.children.map((it) => it.text ?? it.textContent).join(""); }
  set textContent(text) { this.children = [{ text: String(text) }]; }
  set className(name) { this.attributes.class = name; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, listener) { (this.listeners[name] ??= []).push(listener); }
  fire(name) { for (const listener of this.listeners[name] ?? []) listener({ target: this }); }
  contains() { return false; }
  querySelector() { return null; }
  scrollIntoView() {}
  focus() {}
  remove() { this.isRemoved = true; }
}
const names = ["title", "by", "search", "danger", "sliding", "what", "slider", "at", "theme", "headline", "list", "main", "data"];
const parts = Object.fromEntries(names.map((name) => [name, new Element(name)]));
Object.assign(parts.by, { value: "cause" });
Object.assign(parts.search, { value: "" });
parts.data.textContent = data;
globalThis.document = {
  getElementById: (name) => parts[name], createElement: (tag) => new Element(tag), createTextNode: (text) => ({ text }),
  documentElement: new Element("html"), addEventListener() {}, activeElement: null,
};
new Function(script)();
for (const word of process.argv.slice(3)) {
  const [name, value] = word.split("=");
  if (name === "danger") parts.danger.checked = value === "on"; else parts[name].value = value;
  parts[name].fire(name === "search" ? "input" : "change");
}
const blocks = new Set(["button", "details", "div", "h2", "p", "section", "summary", "tr", "br"]);
const text = (it) => it.text ?? (it.isRemoved ? "" : (blocks.has(it.tag) ? "\n" : "") + it.children.map(text).join(""));
for (const name of ["title", "headline", "list", "main"]) console.log(`[${name}] ${text(parts[name])}`);
