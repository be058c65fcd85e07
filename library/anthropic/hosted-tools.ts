import type { ModelReply } from '../../src/handlers.ts'
import { argumentsOf, type Call, pagesOf, splitCalls, textOfResult } from '../shared/hosted-calls.ts'
import { after } from '../shared/times.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import type { Fields, Work } from './context.ts'
import { textOf } from './talk.ts'

/** Tools that Anthropic runs, by the beginning of their type. */
const KINDS = ['web_search', 'web_fetch', 'code_execution'] as const
/** The tool that finds others. */
const SEARCH = /^tool_search_tool_/
/** Seconds of a container. */
const CONTAINER_S = 1_800

/** What tools do that Anthropic runs: blocks before the text, what it cites, fields of the message, and the calls that are left. */
export interface HostedCalls {
  readonly blocks: Fields[]
  readonly citations: Fields[]
  readonly container: Fields | null
  readonly usage: Fields | null
  readonly left: readonly Call[]
}

export function toHostedCalls(work: Pick<Work, 'id' | 'now'>, request: Fields, reply: ModelReply): HostedCalls {
  const { id, now } = work
  const tools = listOf(request.tools)
  const isRun = (kind: string) => tools.some(({ type }) => String(type).startsWith(`${kind}_20`))
  const last = listOf(request.messages).at(-1) ?? {}
  const isAsked = !listOf(last.content).some(({ type }) => type === 'tool_result')
  const choice = fieldsOf(request.tool_choice).type
  // A script may name the code's call as its block.
  const calls = reply.calls.map((call) =>
    isRun('code_execution') && call.name === 'bash_code_execution' ? { ...call, name: 'code_execution' } : call,
  )
  const { hosted, left: called } = splitCalls({ ...reply, calls }, KINDS.filter(isRun), isAsked && choice !== 'none')
  const isSearch = ({ name }: Call): boolean =>
    tools.some((tool) => tool.name === name && SEARCH.test(String(tool.type)))
  const others = called.filter((call) => !isSearch(call))
  const question = textOf(last.content)
  const used = (kind: string): number => hosted.filter(({ name }) => name === kind).length
  const usage = { web_search_requests: used('web_search'), web_fetch_requests: used('web_fetch') }
  const isBash = tools.some(({ type }) => /^code_execution_20(?!250522)/.test(String(type)))
  const [ofServers, left] = byServer(request, others)
  const { container } = request
  const { id: reused, skills: asked } = fieldsOf(container)
  const given = typeof container === 'string' ? container : reused
  const skills = listOf(asked).map(({ type, skill_id, version = 'latest' }) => ({ type, skill_id, version }) as Fields)
  return {
    blocks: [
      ...hosted.flatMap((call) => blocksOf(work, call, { question, isBash })),
      ...called.filter(isSearch).flatMap((call) => searchBlocks(work, tools, call)),
      ...ofServers.flatMap((call) => serverBlocks(work, request, call)),
    ],
    citations: hosted.filter(({ name }) => name === 'web_search').flatMap(citationsOf),
    container:
      used('code_execution') > 0
        ? {
            id: given ?? id('container_01'),
            expires_at: after(now, CONTAINER_S),
            skills: asked == null ? null : skills,
          }
        : null,
    usage: isRun('web_search') || isRun('web_fetch') ? usage : null,
    left,
  }
}

/** The calls of tools of MCP servers, which no tool of the request is named like, and others. */
function byServer({ mcp_servers, tools }: Fields, calls: readonly Call[]): [Call[], Call[]] {
  const own = listOf(tools).map(({ name }) => name)
  const isServers = ({ name }: Call): boolean => listOf(mcp_servers).length > 0 && !own.includes(name)
  return [calls.filter(isServers), calls.filter((call) => !isServers(call))]
}

function serverBlocks({ id }: Pick<Work, 'id'>, { mcp_servers }: Fields, call: Call): Fields[] {
  const use = id('mcptoolu_01')
  const server_name = listOf(mcp_servers)[0]?.name ?? ''
  const text = call.result === undefined ? `Simulated result of ${call.name}.` : textOfResult(call.result)
  return [
    { type: 'mcp_tool_use', id: use, name: call.name, server_name, input: argumentsOf(call.arguments) },
    { type: 'mcp_tool_result', tool_use_id: use, is_error: false, content: [{ type: 'text', text, citations: null }] },
  ]
}

/** A search for tools finds those that its result names, or all that are deferred. */
function searchBlocks({ id }: Pick<Work, 'id'>, tools: readonly Fields[], call: Call): Fields[] {
  const use = id('srvtoolu_01')
  const deferred = tools.flatMap(({ name = '', defer_loading }) => (defer_loading === true ? [name] : []))
  const tool_references = [call.result ?? deferred].flat().map((tool_name) => ({ type: 'tool_reference', tool_name }))
  const content = { type: 'tool_search_tool_search_result', tool_references }
  return [
    { type: 'server_tool_use', id: use, name: call.name, input: argumentsOf(call.arguments) },
    { type: 'tool_search_tool_result', tool_use_id: use, content },
  ]
}

function blocksOf(
  { id, now }: Pick<Work, 'id' | 'now'>,
  call: Call,
  { question, isBash }: { question: string; isBash: boolean },
): Fields[] {
  const tool_use_id = id('srvtoolu_01')
  const given = argumentsOf(call.arguments)
  const caller = { type: 'direct' }
  const use = (name: string, input: Fields): Fields => ({
    ...{ type: 'server_tool_use', id: tool_use_id, name, input, caller },
  })
  const { error_code } = fieldsOf(call.result)
  if (error_code !== undefined && call.name !== 'code_execution') {
    const type = `${call.name}_tool_result`
    return [use(call.name, given), { type, tool_use_id, caller, content: { type: `${type}_error`, error_code } }]
  }
  switch (call.name) {
    case 'web_search': {
      const found = pagesOf(call).map((page) => ({
        type: 'web_search_result',
        ...page,
        encrypted_content: id('sealed_'),
        page_age: null,
      }))
      return [
        use('web_search', { query: question, ...given }),
        { type: 'web_search_tool_result', tool_use_id, caller, content: found },
      ]
    }
    case 'web_fetch': {
      const [url = 'https://example.com/'] = question.match(/https?:\/\/[^\s"<>]+/) ?? []
      const source = { type: 'text', media_type: 'text/plain', data: textOfResult(call.result) }
      const content = { type: 'document', source, title: null, citations: { enabled: false } }
      const fetched = { type: 'web_fetch_result', url: given.url ?? url, content, retrieved_at: now.toISOString() }
      return [
        use('web_fetch', { url, ...given }),
        { type: 'web_fetch_tool_result', tool_use_id, caller, content: fetched },
      ]
    }
    default: {
      const name = isBash ? 'bash_code_execution' : 'code_execution'
      const code = call.arguments || `# Simulated: no script has the code for ${JSON.stringify(question)}`
      const input = Object.keys(given).length > 0 ? given : { [isBash ? 'command' : 'code']: code }
      const result = fieldsOf(call.result)
      const printed = 'stdout' in result || 'stderr' in result ? result : { stdout: textOfResult(call.result) }
      const out = { stdout: '', stderr: '', return_code: 0, content: [], ...printed }
      return [
        use(name, input),
        { type: `${name}_tool_result`, tool_use_id, content: { type: `${name}_result`, ...out } },
      ]
    }
  }
}

const citationsOf = (call: Call): Fields[] =>
  pagesOf(call).map((page) => ({
    type: 'web_search_result_location',
    ...page,
    encrypted_index: 'sealed',
    cited_text: String(page.title),
  }))
