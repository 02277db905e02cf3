// Starts `kzui lsp`. Everything else is the client library: the server has no feature of its own for one editor.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {import("vscode-languageclient/node").LanguageClient | undefined} */
let client;

function serverOptions() {
  const settings = vscode.workspace.getConfiguration("kzui");
  const like = settings.get("like");
  return { command: settings.get("path") || "kzui", args: like ? ["lsp", "--like", like] : ["lsp"] };
}

async function start() {
  const server = serverOptions();
  client = new LanguageClient("kzui", server, { documentSelector: [{ scheme: "file", language: "yaml" }] });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : error;
    const help = "install kzui, or set `kzui.path` to the program";
    vscode.window.showErrorMessage(`kzui: ${server.command} does not start (${reason}): ${help}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (/** @type {vscode.ExtensionContext} */ context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("kzui.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("kzui") && restart()),
  );
  await start();
};

exports.deactivate = stop;
