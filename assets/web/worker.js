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

async function load(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate"));
  module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  begin();
}

onmessage = async ({ data: { id, compressed, request } }) => {
  try {
    if (compressed) {
      await load(compressed);
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
