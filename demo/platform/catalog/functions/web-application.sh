#!/bin/sh
# WebApplication: a Deployment and a Service from a few words.
# It reads a ResourceList, and writes it back with two more items. It needs nothing but sh and awk.
exec awk '
function value(text) {
  sub(/^[^:]*:[ ]*/, "", text)
  sub(/[ ]+#.*$/, "", text)
  gsub(/^["\047]|["\047]$/, "", text)
  return text
}
{ line[NR] = $0 }
/^functionConfig:/ { config = NR; next }
/^[a-zA-Z]/ { if (config && !after) after = NR }
!config || after { next }
/^  [a-zA-Z]/ { part = $1 }
part == "metadata:" && /^    name:/ { name = value($0) }
part == "spec:" && /^    [a-zA-Z]+:/ { key = $1; sub(/:$/, "", key); spec[key] = value($0) }

function emit(text) { print text }
function metadata(indent) {
  emit(indent "metadata:")
  emit(indent "  name: " name)
  emit(indent "  labels:")
  emit(indent "    app: " name)
}
function deployment() {
  emit("- apiVersion: apps/v1")
  emit("  kind: Deployment")
  metadata("  ")
  emit("  spec:")
  emit("    replicas: " spec["replicas"])
  emit("    selector:")
  emit("      matchLabels:")
  emit("        app: " name)
  emit("    template:")
  emit("      metadata:")
  emit("        labels:")
  emit("          app: " name)
  emit("      spec:")
  emit("        containers:")
  emit("        - name: " name)
  emit("          image: " spec["image"])
  emit("          ports:")
  emit("          - containerPort: " spec["port"])
}
function service() {
  emit("- apiVersion: v1")
  emit("  kind: Service")
  metadata("  ")
  emit("  spec:")
  emit("    selector:")
  emit("      app: " name)
  emit("    ports:")
  emit("    - port: 80")
  emit("      targetPort: " spec["port"])
}
function results() {
  if (spec["replicas"] > 1) return
  emit("results:")
  emit("- severity: warning")
  emit("  message: one replica is gone while its node is drained")
  emit("  resourceRef: {apiVersion: apps/v1, kind: Deployment, name: " name "}")
  emit("  field: {path: spec.replicas, currentValue: " spec["replicas"] ", proposedValue: 2}")
}
END {
  if (!("replicas" in spec)) spec["replicas"] = 2
  if (!("port" in spec)) spec["port"] = 8080
  if (name == "" || spec["image"] == "") {
    print "metadata.name and spec.image are needed" > "/dev/stderr"
    exit 1
  }
  for (i = 1; i < config; i++) emit(line[i] == "items: []" ? "items:" : line[i])
  deployment()
  service()
  for (i = config; i <= NR; i++) emit(line[i])
  results()
}
'
