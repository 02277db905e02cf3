-- `kzui lsp` in Neovim, from 0.7, on a copy of `demo/shop` in the current folder. KZUI_BIN names the program. Each check prints
-- a line; Neovim ends with an error if one fails.
local binary = vim.env.KZUI_BIN
local WAIT = 60000
local failed = 0

local function print_line(text)
  io.stdout:write(text .. "\n")
end

local function check(name, holds, detail)
  if not holds then
    failed = failed + 1
    print_line(name .. ": failed: " .. vim.inspect(detail))
  end
end

local function contains(list, item)
  for _, own in ipairs(list) do
    if own == item then
      return true
    end
  end
  return false
end

-- The recipe of the manual for Neovim 0.11; older ones attach by hand.
local has_config = vim.lsp.config ~= nil
if has_config then
  vim.lsp.config("kzui", { cmd = { binary, "lsp" }, filetypes = { "yaml" }, root_markers = { ".git" } })
  vim.lsp.enable("kzui")
end
local client_id

local function open(path)
  vim.cmd("edit " .. path)
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo.filetype = "yaml"
  if not has_config then
    client_id = client_id or vim.lsp.start_client({ name = "kzui", cmd = { binary, "lsp" }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(buffer, client_id)
  end
  check("attached to " .. path, vim.wait(WAIT, function()
    for _, client in pairs(vim.lsp.buf_get_clients and not has_config and vim.lsp.buf_get_clients(buffer) or vim.lsp.get_clients({ bufnr = buffer })) do
      client_id = client.id
      return client.name == "kzui" and client.initialized ~= false
    end
    return false
  end))
  return buffer
end

-- Puts the cursor on the first occurrence of a text.
local function go_to(needle)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  check("text " .. needle, vim.fn.search("\\V" .. vim.fn.escape(needle, "\\"), "cW") > 0)
end

local function at_cursor()
  local client = vim.lsp.get_client_by_id(client_id)
  return vim.lsp.util.make_position_params(0, client and client.offset_encoding)
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, params, WAIT)
  for _, answer in pairs(answers or {}) do
    return answer.result, answer.err
  end
end

local function document()
  return { textDocument = vim.lsp.util.make_text_document_params(0) }
end

local function places(list)
  local root = vim.uri_from_fname(vim.fn.getcwd()) .. "/"
  return vim.tbl_map(function(place)
    return place.uri:gsub("^" .. vim.pesc(root), "") .. ":" .. place.range.start.line + 1
  end, list or {})
end

local function wait_for_codes(buffer, expected)
  local codes
  local found = vim.wait(WAIT, function()
    codes = vim.tbl_map(function(one)
      return one.code or one.user_data.lsp.code
    end, vim.diagnostic.get(buffer))
    return vim.deep_equal(codes, expected)
  end)
  check("diagnostics " .. table.concat(expected, " "), found, codes)
end

local production = open("overlays/production/kustomization.yaml")
wait_for_codes(production, { "KZ101" })
check("diagnostic's line", vim.diagnostic.get(production)[1].lnum == 35, vim.diagnostic.get(production))

go_to("path: orders-memory.yaml")
local hover = request("hover", at_cursor())
check("hover on an entry", hover and hover.contents.value:find("Deployment/prod-orders", 1, true), hover)
check("definition of an entry", contains(places(request("definition", at_cursor())), "overlays/production/orders-memory.yaml:1"))

local lenses = request("codeLens", document())
local titles = {}
for _, lens in ipairs(lenses or {}) do
  titles[lens.range.start.line + 1] = lens.command.title
end
check("lenses", titles[8] == "38 resources in 1 target" and titles[36] == "no match in 1 target", titles)

-- The fix is verified after the diagnostics are published.
local action
vim.wait(WAIT, function()
  local params = document()
  params.range = { start = { line = 35, character = 0 }, ["end"] = { line = 35, character = 0 } }
  params.context = { diagnostics = {} }
  action = (request("codeAction", params) or {})[1]
  return action ~= nil
end, 200)
check("code action", action and action.title:find("name: catalog", 1, true), action)
if action then
  vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client_id).offset_encoding or "utf-16")
  local line = vim.api.nvim_buf_get_lines(production, 37, 38, false)[1]
  check("text after the action", line == "    name: catalog", line)
  wait_for_codes(production, {})
end
vim.cmd("undo")
wait_for_codes(production, { "KZ101" })

-- Keys of a user: a new line with the beginning of an entry.
go_to("- namespace.yaml")
vim.cmd("normal! o- ")
vim.cmd("normal! A")
vim.api.nvim_win_set_cursor(0, { vim.fn.line("."), 2 })
local items = request("completion", at_cursor()) or {}
local labels = vim.tbl_map(function(item)
  return item.label
end, items.items or items)
check("completion of a path", contains(labels, "../../base/cart"), labels)
vim.cmd("undo")

local orders = open("base/orders/deployment.yaml")
wait_for_codes(orders, {})
go_to("memory: 256Mi")
-- A hover does not wait for the check of a file that was just opened.
vim.wait(WAIT, function()
  hover = request("hover", at_cursor())
  return hover ~= nil and not hover.contents.value:find("not known yet", 1, true)
end, 200)
check(
  "hover on a value",
  hover and hover.contents.value:find("overridden by overlays/production/orders-memory.yaml:14: final value `1Gi`", 1, true),
  hover
)
local params = at_cursor()
params.context = { includeDeclaration = true }
local references = places(request("references", params))
check("references", contains(references, "overlays/staging/kustomization.yaml:8"), references)
params = document()
params.range = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } }
local hints = request("inlayHint", params) or {}
local shown = vim.tbl_map(function(hint)
  return hint.position.line + 1 .. " " .. hint.label
end, hints)
check("inlay hints", contains(shown, "45 → 1Gi"), shown)

-- Typing: the text in the buffer counts, and not the file.
local memory = open("overlays/production/orders-memory.yaml")
wait_for_codes(memory, {})
go_to("name: orders")
vim.cmd("normal! A-api")
wait_for_codes(memory, { "KZ040" })
vim.cmd("edit!")
wait_for_codes(memory, {})

vim.lsp.stop_client(client_id)
check("exit", vim.wait(WAIT, function()
  return vim.lsp.client_is_stopped(client_id)
end))
local version = vim.version()
print_line(string.format("neovim %d.%d.%d: %s", version.major, version.minor, version.patch, failed == 0 and "passed" or failed .. " failed"))
vim.cmd(failed == 0 and "qall!" or "cquit 1")
