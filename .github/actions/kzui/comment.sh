#!/usr/bin/env bash
# Writes a file as a comment of pull request $NUMBER; a comment of an earlier run, found by the marker, is replaced.
set -euo pipefail
marker='<!-- kzui -->'
api=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/issues
request() { # METHOD URL
  curl --fail-with-body --silent --show-error --request "$1" --header "Authorization: Bearer $GH_TOKEN" \
    --header "Accept: application/vnd.github+json" --header "Content-Type: application/json" --data @- "$2"
}
earlier=
for page in $(seq 1 100); do
  comments=$(request GET "$api/$NUMBER/comments?per_page=100&page=$page" </dev/null)
  earlier=$(jq -r --arg marker "$marker" 'map(select(.body | startswith($marker)))[0].url // empty' <<<"$comments")
  if [ -n "$earlier" ] || [ "$(jq length <<<"$comments")" -lt 100 ]; then break; fi
done
# A comment has at most 65,536 characters.
body=$(jq -n --rawfile text "$1" --arg marker "$marker" '{body: ($marker + "\n" + $text)[:65000]}')
if [ -n "$earlier" ]; then
  request PATCH "$earlier" <<<"$body" >/dev/null
else
  request POST "$api/$NUMBER/comments" <<<"$body" >/dev/null
fi
