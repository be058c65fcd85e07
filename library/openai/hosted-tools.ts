import type { ModelReply } from '../../src/handlers.ts'
import { argumentsOf, type Call, type HostedCalls, pagesOf, textOfResult, toUsual } from '../shared/hosted-calls.ts'

import { type Fields, fieldsOf, type Json, listOf } from '../shared/values.ts'
import type { Work } from './context.ts'
import { PNG } from './media.ts'
import { textOfItem } from './response-items.ts'
import { openContainer } from './sessions.ts'

/** Calls that an application answers, other than of functions: their item's type, the prefix of its id, what has the arguments. */
const RUN_BY_CLIENT: Readonly<Record<string, readonly [type: string, prefix: string, field: string]>> = {
  computer: ['computer_call', 'cu_', 'actions'],
  computer_use: ['computer_call', 'cu_', 'action'],
  local_shell: ['local_shell_call', 'lsh_', 'action'],
  shell: ['shell_call', 'sh_', 'action'],
  apply_patch: ['apply_patch_call', 'apc_', 'operation'],
}

/** What a call of the shell leaves to the application. */
const UNBOUNDED: Fields = { max_output_length: null, timeout_ms: null }

/** `web_search_preview_2025_03_11` is `web_search`. */
const kindOf = ({ type }: Fields): string => String(type).replace(/_preview.*|_20\d\d.*/, '')

export interface Asked {
  readonly request: Fields
  /** The items before the answer. */
  readonly before: readonly Fields[]
}

/** The calls of tools that OpenAI runs. An answer without any call has one of each such tool, as of a model that uses what it has. */
export function toHostedCalls(
  work: Pick<Work, 'id' | 'now' | 'records'>,
  asked: Asked,
  reply: ModelReply,
): HostedCalls {
  const { request, before } = asked
  const tools = listOf(request.tools)
  const named = tools.flatMap(({ name }) => (name === undefined ? [] : [String(name)]))
  const items = tools.flatMap((tool) => (kindOf(tool) === 'mcp' ? listTools(work, tool, before) : []))
  items.push(...approvedCalls(work, before))
  const cited: Fields[] = []
  const left = reply.calls.filter((call) => {
    const tool = named.includes(call.name) ? undefined : toolOf(tools, call.name)
    if (tool === undefined) return true
    // Its own search is always made.
    if (kindOf(tool) === 'file_search') return false
    items.push(toItem(work, asked, tool, call, reply.text))
    if (kindOf(tool) === 'web_search') cited.push(...pagesOf(call))
    return false
  })
  const isAnswer = reply.calls.length === 0 && reply.refusal === undefined
  const isAsked = before.at(-1)?.role === 'user' && request.tool_choice !== 'none'
  for (const tool of isAnswer && isAsked ? tools.filter((one) => kindOf(one) in USUAL) : []) {
    const usual = USUAL[kindOf(tool)]?.(textOfItem(before.at(-1) ?? {})) ?? {}
    const call = { ...toUsual(''), arguments: JSON.stringify(usual) }
    items.push(toItem(work, asked, tool, call))
    if (kindOf(tool) === 'web_search') cited.push(...pagesOf(call))
  }
  return { items, cited, left }
}

/** Arguments of a call that no script has. */
const USUAL: Readonly<Record<string, (question: string) => Fields>> = {
  web_search: (query) => ({ query }),
  code_interpreter: (question) => ({ code: `# Simulated: no script has the code for ${JSON.stringify(question)}` }),
  image_generation: (prompt) => ({ prompt }),
}

/** The tool that a call is of: by its type, or one that an MCP server has. */
const toolOf = (tools: readonly Fields[], name: string): Fields | undefined =>
  tools.find((tool) => [kindOf(tool), tool.type].includes(name) || kindOf(tool) === `${name}_use`) ??
  tools.find((tool) => kindOf(tool) === 'mcp' && toolNames(tool).includes(name)) ??
  tools.find((tool) => kindOf(tool) === 'mcp' && toolNames(tool).length === 0)

function toolNames({ allowed_tools }: Fields): Json[] {
  const { tool_names = allowed_tools } = fieldsOf(allowed_tools)
  return Array.isArray(tool_names) ? tool_names : []
}

/** @param text that the answer has once the call is made */
function toItem(
  work: Pick<Work, 'id' | 'now' | 'records'>,
  { request }: Asked,
  tool: Fields,
  call: Call,
  text = '',
): Fields {
  const { id, records } = work
  const given = argumentsOf(call.arguments)
  const include = Array.isArray(request.include) ? request.include : []
  const done = { status: 'completed' }
  const kind = kindOf(tool)
  switch (kind) {
    case 'web_search': {
      const query = String(given.query ?? '')
      const sources = pagesOf(call).map(({ url }) => ({ type: 'url', url }))
      const isShown = include.includes('web_search_call.action.sources')
      const action = { type: 'search', query, queries: [query], ...(isShown && { sources }) }
      return { id: id('ws_'), type: 'web_search_call', ...done, action }
    }
    case 'code_interpreter': {
      const { container } = tool
      const outputs = include.includes('code_interpreter_call.outputs')
        ? [{ type: 'logs', logs: textOfResult(call.result) }]
        : null
      const container_id = typeof container === 'string' ? container : openContainer(work, fieldsOf(container)).id
      const code = given.code ?? call.arguments
      return { id: id('ci_'), type: 'code_interpreter_call', ...done, code, container_id, outputs }
    }
    case 'image_generation': {
      const { size = '1024x1024', quality = 'high', background = 'opaque', output_format = 'png' } = tool
      const action = tool.action === 'edit' ? 'edit' : 'generate'
      const facts = { action, size, quality, background, output_format, revised_prompt: given.prompt ?? '' }
      return { id: id('ig_'), type: 'image_generation_call', ...done, ...facts, result: call.result ?? PNG }
    }
    case 'mcp': {
      const shared = { name: call.name, arguments: call.arguments, server_label: tool.server_label ?? '' }
      if (needsApproval(tool, call.name)) {
        const { id: asked } = records.approvals.create({ id: id('mcpr_'), result: call.result ?? null, text })
        return { id: asked, type: 'mcp_approval_request', ...shared }
      }
      return { id: id('mcp_'), type: 'mcp_call', ...done, ...shared, ...answered(call), approval_request_id: null }
    }
    default: {
      const [type = 'function_call', prefix = 'fc_', field = 'arguments'] = RUN_BY_CLIENT[kind] ?? []
      const { actions = [given] } = given
      const safety = type === 'computer_call' && { pending_safety_checks: [] }
      return {
        id: id(prefix),
        type,
        ...done,
        call_id: call.id ?? id('call_'),
        ...safety,
        [field]: field === 'actions' ? actions : kind === 'shell' ? { ...UNBOUNDED, ...given } : given,
        ...(kind === 'shell' && { environment: tool.environment ?? null }),
      }
    }
  }
}

const answered = ({ name, result }: Pick<Call, 'name' | 'result'>): Fields => ({
  output: result === undefined ? `Simulated result of ${name}.` : textOfResult(result),
  error: null,
})

/** The tools of a server, which an answer lists once. */
function listTools({ id }: Pick<Work, 'id'>, tool: Fields, before: readonly Fields[]): Fields[] {
  const { server_label = '' } = tool
  if (before.some((item) => item.type === 'mcp_list_tools' && item.server_label === server_label)) return []
  const tools = toolNames(tool).map((name) => ({
    name,
    description: null,
    input_schema: { type: 'object' },
    annotations: null,
  }))
  return [{ id: id('mcpl_'), type: 'mcp_list_tools', server_label, tools, error: null }]
}

/** The calls that the last items of a request approve. */
function approvedCalls({ id, records }: Pick<Work, 'id' | 'records'>, before: readonly Fields[]): Fields[] {
  const last = before.slice(before.findLastIndex((item) => item.type !== 'mcp_approval_response') + 1)
  return last.flatMap(({ approve, approval_request_id = null }) => {
    const wanted = before.find((item) => item.id === approval_request_id)
    if (approve !== true || wanted === undefined) return []
    const { name = '', arguments: given = '{}', server_label = '' } = wanted
    const call = {
      name,
      arguments: given,
      server_label,
      approval_request_id,
      ...answered({
        name: String(name),
        result: records.approvals.get(String(approval_request_id))?.result ?? undefined,
      }),
    }
    return [{ id: id('mcp_'), type: 'mcp_call', status: 'completed', ...call }]
  })
}

function needsApproval({ require_approval = 'always' }: Fields, name: string): boolean {
  if (typeof require_approval === 'string') return require_approval !== 'never'
  const { never, always } = fieldsOf(require_approval)
  if (never !== undefined) return !toolNames({ allowed_tools: never }).includes(name)
  return toolNames({ allowed_tools: always ?? null }).includes(name)
}
