// The thread of the builds: one WebAssembly instance, which answers one request after the other.
"use strict";
let module, engine, session, panic = "", opened = null;

function text(pointer, bytes) {
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, pointer, bytes));
}

function begin() {
  panic = "";
  engine = new WebAssembly.Instance(module, { page: { panicked: (pointer, bytes) => { panic = text(pointer >>> 0, bytes >>> 0); } } }).exports;
  session = engine.start();
}

function ask(request) {
  const bytes = new TextEncoder().encode(request);
  // The call may grow the memory, which then has another buffer.
  const pointer = engine.request(session, bytes.length) >>> 0;
  new Uint8Array(engine.memory.buffer, pointer, bytes.length).set(bytes);
  const length = engine.call(session) >>> 0;
  return text(engine.answer(session) >>> 0, length);
}

async function load(unpack, packed) {
  const calls = (await WebAssembly.instantiate(unpack)).instance.exports;
  const unpacker = calls.start();
  const place = calls.packed(unpacker, packed.length) >>> 0;
  new Uint8Array(calls.memory.buffer, place, packed.length).set(packed);
  const bytes = calls.unpack(unpacker) >>> 0;
  if (!bytes) throw new Error("the page is damaged");
  module = await WebAssembly.compile(new Uint8Array(calls.memory.buffer, calls.unpacked(unpacker) >>> 0, bytes));
  begin();
}

onmessage = async ({ data: { id, unpack, packed, request } }) => {
  try {
    if (packed) {
      await load(unpack, packed);
      return postMessage({ id, answer: {} });
    }
    const answer = JSON.parse(ask(request));
    if (!answer.refusal && answer.targets) opened = request;
    postMessage({ id, answer });
  } catch (error) {
    const fault = panic || String(error);
    // A panic leaves the instance unusable: the next request gets a new one, with the same files.
    try {
      begin();
      if (opened) ask(opened);
    } catch (_) {
      opened = null;
    }
    postMessage({ id, fault });
  }
};
