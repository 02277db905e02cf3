#!/usr/bin/env python3
"""`kzui diff --live` with the real kubectl, against a small API server on this machine.

The server knows ConfigMaps, Deployments and Secrets: discovery, OpenAPI, reads, and server-side apply as far as the tests
need it (fields of the applying manager, defaults, an immutable selector). It refuses each request that would write, and
the test fails if there was one.

    python3 tests/clients/cluster.py --bin target/release/kzui [--kubectl kubectl]
"""
import argparse
import base64
import copy
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from urllib.parse import parse_qs, urlsplit

KINDS = {"configmaps": ("v1", "ConfigMap"), "secrets": ("v1", "Secret"), "deployments": ("apps/v1", "Deployment")}
PARAMETERS = ["dryRun", "fieldManager", "fieldValidation", "force"]
PASSWORDS = ["canary-of-the-cluster", "canary-of-the-build"]


def merged(old, new):
    """The applied fields over the deployed ones; elements of a list are merged by their name."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: merged(old.get(key), value) for key, value in new.items()}}
    if isinstance(old, list) and isinstance(new, list) and all(isinstance(it, dict) and "name" in it for it in old + new):
        result = {it["name"]: it for it in old}
        result.update({it["name"]: merged(result.get(it["name"]), it) for it in new})
        return list(result.values())
    return new


def without_dropped(node, fields, applied):
    """Without the fields that the manager owns and no longer applies."""
    for key, below in fields.items():
        if key == "." or not isinstance(node, (dict, list)):
            continue
        kind, name = key.split(":", 1)
        if kind == "f" and isinstance(node, dict) and name in node:
            if not isinstance(applied, dict) or name not in applied:
                del node[name]
            else:
                without_dropped(node[name], below, applied[name])
        elif kind == "k" and isinstance(node, list):
            name = json.loads(name).get("name")
            partner = next((it for it in applied or [] if it.get("name") == name), None)
            for item in [it for it in node if it.get("name") == name]:
                if partner is None:
                    node.remove(item)
                else:
                    without_dropped(item, below, partner)


def owned(node):
    """The fields of an applied object in the form of `managedFields`."""
    if isinstance(node, dict):
        return {f"f:{key}": owned(value) for key, value in node.items()}
    if isinstance(node, list) and all(isinstance(it, dict) and "name" in it for it in node):
        return {f'k:{json.dumps({"name": it["name"]})}': {".": {}, **owned(it)} for it in node}
    return {}


def managed(manager, fields, operation="Apply", **more):
    fields = {key: value for key, value in fields.items() if key not in ("f:apiVersion", "f:kind")}
    return {"manager": manager, "operation": operation, "fieldsType": "FieldsV1", "fieldsV1": fields, **more}


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, content, status=200):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def fail(self, code, reason, message, details=None):
        status = {"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": reason}
        self.answer({**status, "message": message, "details": details or {}}, code)

    def do_GET(self):
        path = urlsplit(self.path).path
        if path in DOCUMENTS:
            return self.answer(DOCUMENTS[path])
        found = self.server.objects.get(path)
        if found is None:
            return self.fail(404, "NotFound", f"{path} not found")
        return self.answer(found)

    def do_PATCH(self):
        url = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_apply = self.headers["Content-Type"].startswith("application/apply-patch")
        self.server.requests.append((self.headers["Content-Type"], query))
        if query.get("dryRun") != "All" or not is_apply:
            return self.fail(403, "Forbidden", "this server does not write")
        applied, old = json.loads(body), self.server.objects.get(url.path)
        new = copy.deepcopy(old) if old else {"metadata": {"namespace": "default"}}
        for entry in new["metadata"].pop("managedFields", []):
            if (entry["manager"], entry["operation"]) == (query["fieldManager"], "Apply"):
                without_dropped(new, entry["fieldsV1"], applied)
        new = merged(new, applied)
        for key, text in new.pop("stringData", {}).items():
            new.setdefault("data", {})[key] = base64.b64encode(text.encode()).decode()
        if new["kind"] == "Deployment":
            new["spec"].setdefault("progressDeadlineSeconds", 600)
            if old and old["spec"]["selector"] != new["spec"]["selector"]:
                cause = {"reason": "FieldValueInvalid", "message": "Invalid value: {}: field is immutable", "field": "spec.selector"}
                details = {"name": new["metadata"]["name"], "kind": "Deployment", "group": "apps", "causes": [cause]}
                message = f'Deployment.apps "web" is invalid: {cause["field"]}: {cause["message"]}'
                return self.fail(422, "Invalid", message, details)
        new["metadata"]["managedFields"] = [managed(query["fieldManager"], owned(applied))]
        return self.answer(new)

    def refuse(self):
        self.server.requests.append((self.command, {}))
        self.fail(403, "Forbidden", "this server does not write")

    do_POST = do_PUT = do_DELETE = refuse


def resource_list(version):
    names = [(name, kind) for name, (its, kind) in KINDS.items() if its == version]
    verbs = ["get", "list", "patch", "create", "update", "delete"]
    resources = [{"name": name, "singularName": "", "namespaced": True, "kind": kind, "verbs": verbs} for name, kind in names]
    return {"apiVersion": "v1", "kind": "APIResourceList", "groupVersion": version, "resources": resources}


def openapi(root, version):
    group, _, name = version.rpartition("/")
    paths = {}
    for resource, (its, kind) in KINDS.items():
        if its == version:
            patch = {
                "x-kubernetes-group-version-kind": {"group": group, "version": name, "kind": kind},
                "parameters": [{"name": parameter, "in": "query"} for parameter in PARAMETERS],
                "responses": {"200": {"description": "OK"}},
            }
            paths[f"{root}/namespaces/{{namespace}}/{resource}/{{name}}"] = {"patch": patch}
    return {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "v1.32.0"}, "paths": paths}


APPS = {"groupVersion": "apps/v1", "version": "v1"}
DOCUMENTS = {
    "/version": {"major": "1", "minor": "32", "gitVersion": "v1.32.0"},
    "/api": {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []},
    "/apis": {
        "apiVersion": "v1",
        "kind": "APIGroupList",
        "groups": [{"name": "apps", "versions": [APPS], "preferredVersion": APPS}],
    },
    "/api/v1": resource_list("v1"),
    "/apis/apps/v1": resource_list("apps/v1"),
    "/openapi/v3": {
        "paths": {
            "api/v1": {"serverRelativeURL": "/openapi/v3/api/v1"},
            "apis/apps/v1": {"serverRelativeURL": "/openapi/v3/apis/apps/v1"},
        }
    },
    "/openapi/v3/api/v1": openapi("/api/v1", "v1"),
    "/openapi/v3/apis/apps/v1": openapi("/apis/apps/v1", "apps/v1"),
}


def deployment(image, replicas, app="web"):
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": app}},
            "template": {
                "metadata": {"labels": {"app": app}},
                "spec": {"containers": [{"name": "web", "image": image}]},
            },
        },
    }


FILES = {
    "base/kustomization.yaml": "resources:\n- deployment.yaml\n- secret.yaml\n",
    "base/deployment.yaml": json.dumps(deployment("example.com/web:1", 2), indent=1),
    "base/secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: login\nstringData:\n"
    f"  password: {PASSWORDS[1]}\n",
    "prod/kustomization.yaml": 'resources:\n- ../base\n- settings.yaml\nimages:\n- name: example.com/web\n  newTag: "7"\n',
    "prod/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: fast\n",
}


def deploy(objects, manager="kubectl"):
    """Objects in the cluster, as this manager applied them."""
    found = {}
    for applied in objects:
        plural = f'{applied["kind"].lower()}s'
        root = "/api/v1" if applied["apiVersion"] == "v1" else "/apis/apps/v1"
        own = copy.deepcopy(applied)
        own["metadata"].update(
            namespace="default", uid="1", resourceVersion="7", managedFields=[managed(manager, owned(applied))]
        )
        if own["kind"] == "Deployment":
            own["spec"]["progressDeadlineSeconds"] = 600
        found[f'{root}/namespaces/default/{plural}/{applied["metadata"]["name"]}'] = own
    return found


class Checks:
    def __init__(self, arguments, folder, server):
        self.arguments, self.folder, self.server, self.failed = arguments, folder, server, 0
        os.makedirs(os.path.join(folder, "bin"))
        os.symlink(arguments.kubectl, os.path.join(folder, "bin", "kubectl"))
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "a", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
            "users": [{"name": "a", "user": {}}],
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
        }
        self.write("config", json.dumps(config))
        for path, text in FILES.items():
            self.write(path, text)
        # Locations are shown relative to the repository.
        subprocess.run(["git", "init", "--quiet", folder], check=True)

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def diff(self, *flags):
        environment = {
            "PATH": f'{os.path.join(self.folder, "bin")}:{os.environ["PATH"]}',
            "HOME": self.folder,
            "KUBECONFIG": os.path.join(self.folder, "config"),
        }
        command = [self.arguments.bin, "diff", "prod", "--live", "--context", "a", *flags]
        run = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        self.check("no secret is shown", not any(it in run.stdout + run.stderr for it in PASSWORDS), run.stdout)
        return run

    def report(self, status):
        run = self.diff("--format", "json")
        self.check(f"exit status {status}", run.returncode == status, f"{run.returncode} {run.stderr} {run.stdout}")
        try:
            return json.loads(run.stdout)
        except ValueError:
            return {"targets": [], "cluster": {"drift": [], "refusals": []}}

    def check(self, name, holds, detail=""):
        self.failed += not holds
        if not holds:
            print(f"{name}: failed: {str(detail)[:1500]}")


def fields(report):
    rows = [(it["kind"], field["path"], field.get("at")) for target in report["targets"] for it in target["resources"] for field in it["fields"]]
    return sorted(rows, key=str)


def run_checks(checks):
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"mode": "fast"}}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login"}, "data": {}}
    secret["data"]["password"] = base64.b64encode(PASSWORDS[1].encode()).decode()
    current = [deployment("example.com/web:7", 2), settings, secret]

    checks.server.objects = deploy(current)
    report = checks.report(0)
    checks.check("the same", report["targets"] == [] and report["cluster"]["drift"] == [], report)

    older = copy.deepcopy(secret)
    older["data"]["password"] = base64.b64encode(PASSWORDS[0].encode()).decode()
    old = deployment("example.com/web:1", 5)
    old["spec"]["paused"] = True
    checks.server.objects = deploy([old, older], "kustomize-controller")
    found = checks.server.objects["/apis/apps/v1/namespaces/default/deployments/web"]["metadata"]["managedFields"]
    del found[0]["fieldsV1"]["f:spec"]["f:replicas"]
    found.append(managed("kube-controller-manager", {"f:spec": {"f:replicas": {}}}, "Update", subresource="scale"))
    report = checks.report(1)
    expected = [
        ("ConfigMap", "", "prod/settings.yaml:1"),
        ("Deployment", "spec.paused", None),
        ("Deployment", "spec.template.spec.containers[web].image", "prod/kustomization.yaml:6"),
        ("Secret", "data.password", "base/secret.yaml:6"),
    ]
    checks.check("differences with their lines", fields(report) == expected, fields(report))
    drift = [(it["path"], it["managers"], it["cluster"], it["build"]) for it in report["cluster"]["drift"]]
    checks.check("drift", drift == [("spec.replicas", ["kube-controller-manager"], "5", "2")], drift)

    checks.server.objects = deploy([deployment("example.com/web:7", 2, "other"), settings, secret])
    report = checks.report(1)
    refusals = report["cluster"]["refusals"]
    named = [(it["resource"], [(field["path"], field["immutable"]) for field in it["fields"]]) for it in refusals]
    checks.check("immutable field", named == [("Deployment/web", [("spec.selector", True)])], refusals)

    checks.write("prod/kustomization.yaml", FILES["prod/kustomization.yaml"] + "namespace: default\n")
    checks.write("prod/settings.yaml", "apiVersion: example.com/v1\nkind: Unknown\nmetadata:\n  name: settings\n")
    checks.server.objects = deploy(current)
    report = checks.report(3)
    refusals = [it["message"] for it in report["cluster"]["refusals"]]
    checks.check("a kind that the cluster lacks", len(refusals) == 1 and "no matches for kind" in refusals[0], refusals)

    for content, query in checks.server.requests:
        holds = query.get("dryRun") == "All" and content.startswith("application/apply-patch")
        checks.check("only tried applies are sent", holds, (content, query))
    checks.check("applies were tried", len(checks.server.requests) > 5, checks.server.requests)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--kubectl", default="kubectl")
    arguments = parser.parse_args()
    arguments.bin, arguments.kubectl = os.path.abspath(arguments.bin), shutil.which(arguments.kubectl)
    if arguments.kubectl is None:
        print("skipped: kubectl is not installed")
        return 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.objects, server.requests = {}, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(arguments, os.path.realpath(folder), server)
        run_checks(checks)
    server.shutdown()
    print(f"cluster: {len(server.requests)} tried applies, {checks.failed} failed checks")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
