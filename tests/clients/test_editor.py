"""`kzui lsp` with the clients of pytest-lsp: the capabilities of three editors, on a copy of `demo/shop`.

`KZUI_BIN` names the program.
"""
import asyncio
import os
import pathlib
import re
import shutil
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.path.abspath(os.environ["KZUI_BIN"])
WAIT_SECONDS = 60

ORDERS = "base/orders/deployment.yaml"
PRODUCTION = "overlays/production/kustomization.yaml"
STAGING = "overlays/staging/kustomization.yaml"
MEMORY = "overlays/production/orders-memory.yaml"
MONITORING = "components/monitoring/kustomization.yaml"
SIDECAR = "components/log-shipper/sidecar.yaml"


class Shop:
    """A copy of the demo, and a client with documents of it."""

    def __init__(self, client, folder):
        self.client, self.folder, self.versions = client, folder, {}

    def uri(self, path):
        return (self.folder / path).as_uri()

    def text(self, path):
        return (self.folder / path).read_text(encoding="utf-8")

    def document(self, path):
        return types.TextDocumentIdentifier(uri=self.uri(path))

    def position(self, path, needle, text=None):
        """The position of the first occurrence of a text."""
        before = (text or self.text(path)).split(needle, 1)
        assert len(before) == 2, f"no {needle} in {path}"
        lines = before[0].split("\n")
        return types.Position(line=len(lines) - 1, character=len(lines[-1]))

    async def checked(self, path):
        """The diagnostics of the current text."""
        for _ in range(WAIT_SECONDS * 50):
            published = self.client.published.get(self.uri(path))
            if published and published.version == self.versions[path]:
                return published.diagnostics
            await asyncio.sleep(0.02)
        raise TimeoutError(f"no diagnostics of {path}")

    async def open(self, path, text=None):
        self.versions[path] = 1
        item = types.TextDocumentItem(
            uri=self.uri(path), language_id="yaml", version=1, text=self.text(path) if text is None else text
        )
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return await self.checked(path)

    def change(self, path, text):
        self.versions[path] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(uri=self.uri(path), version=self.versions[path]),
                content_changes=[types.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    async def hover(self, path, needle):
        params = types.HoverParams(text_document=self.document(path), position=self.position(path, needle))
        hover = await self.client.text_document_hover_async(params)
        return hover.contents.value if hover else None

    async def places(self, method, path, needle):
        """The locations of an answer as `path:line`."""
        kind = types.DefinitionParams if method == "definition" else types.ReferenceParams
        more = {"context": types.ReferenceContext(include_declaration=True)} if method == "references" else {}
        params = kind(text_document=self.document(path), position=self.position(path, needle), **more)
        found = await getattr(self.client, f"text_document_{method}_async")(params)
        root = self.folder.as_uri() + "/"
        return [f"{it.uri.removeprefix(root)}:{it.range.start.line + 1}" for it in found or []]

    async def lenses(self, path):
        params = types.CodeLensParams(text_document=self.document(path))
        found = await self.client.text_document_code_lens_async(params)
        return {lens.range.start.line + 1: lens.command.title for lens in found}

    async def hints(self, path, lines=(0, 9999)):
        span = types.Range(start=types.Position(lines[0], 0), end=types.Position(lines[1], 0))
        params = types.InlayHintParams(text_document=self.document(path), range=span)
        found = await self.client.text_document_inlay_hint_async(params)
        return {hint.position.line + 1: hint.label for hint in found}

    async def completion(self, path, text, needle):
        """The items at the end of the first occurrence of a text."""
        at = self.position(path, needle, text)
        lines = needle.split("\n")
        column = len(lines[-1]) + (at.character if len(lines) == 1 else 0)
        position = types.Position(line=at.line + len(lines) - 1, character=column)
        params = types.CompletionParams(text_document=self.document(path), position=position)
        found = await self.client.text_document_completion_async(params)
        items = getattr(found, "items", found) or []
        return [item.label for item in items]

    async def actions(self, path, line):
        at = types.Position(line=line - 1, character=0)
        params = types.CodeActionParams(
            text_document=self.document(path),
            range=types.Range(start=at, end=at),
            context=types.CodeActionContext(diagnostics=[]),
        )
        return await self.client.text_document_code_action_async(params) or []


def applied(text, edits):
    """The text with the edits of a workspace edit."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: edit.range.start.line, reverse=True):
        start = starts[edit.range.start.line] + edit.range.start.character
        end = starts[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text


def make_client():
    """A client that keeps the requests of the server, the diagnostics that were published last, and its log."""
    client = LanguageClient()
    client.requests, client.published, client.log = [], {}, []

    def keep(method):
        @client.feature(method)
        def answer(params):
            client.requests.append((method, params))

    for method in ("client/registerCapability", "workspace/codeLens/refresh", "workspace/inlayHint/refresh"):
        keep(method)

    @client.feature("textDocument/publishDiagnostics")
    def publish(params):
        client.published[params.uri] = params

    @client.feature("window/logMessage")
    def log(params):
        client.log.append(params.message)

    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[BINARY, "lsp"], client_factory=make_client),
    params=["neovim", "visual-studio-code", "emacs"],
)
async def client(request, lsp_client: LanguageClient, tmp_path):
    folder = tmp_path / "shop é"
    shutil.copytree(ROOT / "demo" / "shop", folder)
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    params = types.InitializeParams(
        capabilities=client_capabilities(request.param), root_uri=folder.as_uri(), process_id=os.getpid()
    )
    result = await lsp_client.initialize_session(params)
    assert result.server_info.name == "kzui"
    yield
    await lsp_client.shutdown_session()
    assert lsp_client._server.returncode == 0


@pytest.fixture
def shop(client, tmp_path):
    return Shop(client, tmp_path / "shop é")


async def test_diagnostics_are_the_findings_of_check(shop):
    found = await shop.open(PRODUCTION)
    assert [(it.code, it.severity, it.range.start.line + 1) for it in found] == [
        ("KZ101", types.DiagnosticSeverity.Error, 36)
    ]
    assert found[0].source == "kzui"
    assert 'none named "prod-catalog"' in found[0].message
    assert "help:" in found[0].message


async def test_diagnostics_follow_the_text_and_not_the_file(shop):
    assert len(await shop.open(PRODUCTION)) == 1
    text = shop.text(PRODUCTION)
    shop.change(PRODUCTION, text.replace("name: prod-catalog", "name: catalog"))
    assert list(await shop.checked(PRODUCTION)) == []
    shop.change(PRODUCTION, text + "nonsense: [\n")
    found = await shop.checked(PRODUCTION)
    assert any(it.severity == types.DiagnosticSeverity.Error for it in found)
    shop.change(PRODUCTION, text)
    assert [it.code for it in await shop.checked(PRODUCTION)] == ["KZ101"]


async def test_a_patch_without_a_target_is_found_while_it_is_typed(shop):
    assert list(await shop.open(MEMORY)) == []
    shop.change(MEMORY, shop.text(MEMORY).replace("  name: orders\nspec", "  name: ordrs\nspec"))
    codes = [it.code for it in await shop.checked(MEMORY)]
    assert "KZ040" in codes


async def test_hover_shows_the_final_value_in_each_target(shop):
    await shop.open(ORDERS)
    text = await shop.hover(ORDERS, "memory: 256Mi")
    assert "final value `256Mi`" in text
    assert "overridden by overlays/production/orders-memory.yaml:14: final value `1Gi`" in text
    assert "in overlays/production" in text


async def test_hover_shows_the_effect_of_an_entry(shop):
    await shop.open(PRODUCTION)
    assert "no match in 1 target" in await shop.hover(PRODUCTION, "name: prod-catalog")
    assert "Deployment/prod-orders" in await shop.hover(PRODUCTION, "orders-memory.yaml")


async def test_hover_masks_secrets(shop):
    await shop.open(PRODUCTION)
    text = await shop.hover(PRODUCTION, "password=from-the-vault")
    assert "data.password" in text
    assert "<secret" in text
    assert "vault" not in text


async def test_hover_on_a_comment_is_empty(shop):
    await shop.open(STAGING)
    assert await shop.hover(STAGING, "# The mirror comes before") is None


async def test_definition_leads_to_files_and_resources(shop):
    await shop.open(PRODUCTION)
    await shop.open(MEMORY)
    assert await shop.places("definition", PRODUCTION, "../../base") == ["base/kustomization.yaml:1"]
    assert await shop.places("definition", PRODUCTION, "orders-memory.yaml") == [f"{MEMORY}:1"]
    assert await shop.places("definition", PRODUCTION, "../../components/tls") == [
        "components/tls/kustomization.yaml:1"
    ]
    assert await shop.places("definition", MEMORY, "memory: 1Gi") == [f"{ORDERS}:1"]


async def test_references_are_the_entries_on_the_way_to_the_targets(shop):
    await shop.open(ORDERS)
    found = await shop.places("references", ORDERS, "memory: 256Mi")
    for expected in (
        "base/orders/kustomization.yaml:5",
        "base/kustomization.yaml:8",
        "overlays/development/kustomization.yaml:8",
        "overlays/production/kustomization.yaml:8",
        "overlays/production/orders-memory.yaml:14",
        "overlays/staging/kustomization.yaml:8",
    ):
        assert expected in found


async def test_lenses_count_resources_and_targets(shop):
    await shop.open(PRODUCTION)
    lenses = await shop.lenses(PRODUCTION)
    assert lenses[8] == "38 resources in 1 target"
    assert lenses[34] == "1 resource in 1 target"
    assert lenses[36] == "no match in 1 target"
    await shop.open(MONITORING)
    assert (await shop.lenses(MONITORING))[18] == "no match in 2 targets"
    await shop.open(ORDERS)
    assert await shop.lenses(ORDERS) == {1: "in 3 targets"}


async def test_the_lens_of_a_component_counts_the_resources_that_it_changes(shop):
    await shop.open(PRODUCTION)
    assert re.fullmatch(r"\d+ resources in 1 target", (await shop.lenses(PRODUCTION))[13])


async def test_a_reference_is_not_overridden_by_its_own_line(shop):
    await shop.open(SIDECAR)
    text = await shop.hover(SIDECAR, "          name: log-shipper")
    assert "volumes[log-shipper].configMap.name" in text
    assert "overridden" not in text


async def test_inlay_hints_show_final_values(shop):
    await shop.open(PRODUCTION)
    assert 4 not in await shop.hints(PRODUCTION), "a prefix has no hint"
    await shop.open(ORDERS)
    hints = await shop.hints(ORDERS)
    assert hints[45] == "→ 1Gi"
    assert hints[9] == "→ 3"
    assert list(await shop.hints(ORDERS, (40, 46))) == [43, 45]


async def test_completion_of_fields_and_paths(shop):
    await shop.open(STAGING)
    text = shop.text(STAGING)
    shop.change(STAGING, text + "\n")
    fields = await shop.completion(STAGING, text + "\n", text + "")
    assert "patches" in fields
    assert "resources" not in fields
    edited = text.replace("../../components/monitoring\n", "../../components/monitoring\n- ../\n")
    shop.change(STAGING, edited)
    await shop.checked(STAGING)
    paths = await shop.completion(STAGING, edited, "components/monitoring\n- ../")
    assert "../../components/high-availability" in paths
    assert "../../components/tls" not in paths
    assert "../../base" not in paths


async def test_completion_of_names_for_a_patch(shop):
    """The names of the kind. Patches run before the prefix: with prod-catalog, the patch would match no resource."""
    await shop.open(PRODUCTION)
    edited = shop.text(PRODUCTION).replace("    name: prod-catalog\n", "    name: \n")
    shop.change(PRODUCTION, edited)
    names = await shop.completion(PRODUCTION, edited, "kind: HorizontalPodAutoscaler\n    name: ")
    assert names == ["catalog"]
    edited = shop.text(PRODUCTION).replace("images:\n", "images:\n- name: \n")
    shop.change(PRODUCTION, edited)
    assert await shop.completion(PRODUCTION, edited, "images:\n- name: ") == []


async def test_completion_of_the_fields_of_a_type(shop):
    await shop.open(MEMORY)
    edited = shop.text(MEMORY).replace("      - name: orders\n", "      - name: orders\n        \n")
    shop.change(MEMORY, edited)
    fields = await shop.completion(MEMORY, edited, "      - name: orders\n        ")
    assert {"livenessProbe", "volumeMounts"} <= set(fields)
    assert "name" not in fields
    await shop.open(PRODUCTION)
    edited = shop.text(PRODUCTION).replace("- path: orders-memory.yaml\n", "- path: orders-memory.yaml\n  \n")
    shop.change(PRODUCTION, edited)
    assert await shop.completion(PRODUCTION, edited, "- path: orders-memory.yaml\n  ") == ["patch", "target", "options"]


async def test_a_rename_changes_every_place_and_keeps_the_findings(shop):
    """The Deployment is named in two patches, two entries of components and a custom resource."""
    await shop.open(MEMORY)
    place = {"text_document": shop.document(MEMORY), "position": shop.position(MEMORY, "orders\nspec")}
    named = await shop.client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
    assert named.placeholder == "orders"
    edit = await shop.client.text_document_rename_async(types.RenameParams(new_name="order-desk", **place))
    root = shop.folder.as_uri() + "/"
    found = {uri.removeprefix(root): edits for uri, edits in edit.changes.items()}
    assert {(path, it.range.start.line + 1) for path, edits in found.items() for it in edits} == {
        (ORDERS, 4),
        ("base/orders/scaled-object.yaml", 8),
        ("components/debug/kustomization.yaml", 17),
        ("components/high-availability/kustomization.yaml", 20),
        (MEMORY, 4),
    }
    for path, edits in found.items():
        (shop.folder / path).write_text(applied(shop.text(path), edits), encoding="utf-8")
    built = subprocess.run([BINARY, "build", "overlays/production"], cwd=shop.folder, capture_output=True, text=True)
    assert "  name: prod-order-desk\n" in built.stdout
    assert "1Gi" in built.stdout


async def test_a_rename_that_is_not_possible_is_refused_with_the_reason(shop):
    await shop.open(ORDERS)
    place = {"text_document": shop.document(ORDERS), "position": shop.position(ORDERS, "orders\n  labels")}
    with pytest.raises(JsonRpcException) as refused:
        await shop.client.text_document_rename_async(types.RenameParams(new_name="storefront", **place))
    assert "overlays" in str(refused.value) or "base" in str(refused.value)


async def test_a_code_action_removes_its_finding(shop):
    await shop.open(PRODUCTION)
    # The fix is verified after the first diagnostics were published.
    for _ in range(100):
        if actions := await shop.actions(PRODUCTION, 36):
            break
        await asyncio.sleep(0.1)
    assert [action.title for action in actions] == [
        "write name: catalog (verified in 1 target: 1 line of the output changes)"
    ]
    assert actions[0].diagnostics[0].code == "KZ101"
    changes = actions[0].edit.changes
    assert list(changes) == [shop.uri(PRODUCTION)]
    text = applied(shop.text(PRODUCTION), changes[shop.uri(PRODUCTION)])
    assert text == shop.text(PRODUCTION).replace("name: prod-catalog", "name: catalog")
    shop.change(PRODUCTION, text)
    assert list(await shop.checked(PRODUCTION)) == []


async def test_columns_count_units_of_the_client(shop):
    text = shop.text(MEMORY).replace("memory: 1Gi", "memory: 1Gi # 😀")
    await shop.open(MEMORY, text)
    params = types.HoverParams(text_document=shop.document(MEMORY), position=types.Position(line=13, character=9999))
    assert "1Gi" in (await shop.client.text_document_hover_async(params)).contents.value


async def test_nothing_is_written(shop):
    before = {path: path.read_bytes() for path in sorted(shop.folder.rglob("*")) if path.is_file()}
    await shop.open(PRODUCTION)
    shop.change(PRODUCTION, "resources: [gone.yaml]\n")
    await shop.checked(PRODUCTION)
    assert {path: path.read_bytes() for path in sorted(shop.folder.rglob("*")) if path.is_file()} == before
