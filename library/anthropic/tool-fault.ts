import { fieldsOf, firstFault, listOf } from '../shared/values.ts'
import { blocksOf } from './attachments.ts'
import type { Fields, Json } from './context.ts'
import { unknownTag } from './unknown-tag.ts'

/** The names of tools that Anthropic defines, by the beginning of their type. */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'bash',
  code_execution: 'code_execution',
  computer: 'computer',
  memory: 'memory',
  text_editor: 'str_replace_based_edit_tool',
  tool_search_tool_bm25: 'tool_search_tool_bm25',
  tool_search_tool_regex: 'tool_search_tool_regex',
  web_fetch: 'web_fetch',
  web_search: 'web_search',
}

/** The first text editors, which had another name. */
const OLD_EDITOR = /^text_editor_(?:20241022|20250124)$/
/** Types that have no date. */
const UNDATED = ['custom', 'mcp_toolset', 'tool_search_tool_bm25', 'tool_search_tool_regex']

/** Why the tools of a request, or the servers that have them, are refused. @param betas the header; undefined where it is not known */
export function toolFault({ tools, mcp_servers }: Fields, betas: string | undefined): string | undefined {
  const all = listOf(tools)
  const names = all.flatMap(({ name }) => (name === undefined ? [] : [name]))
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.'
  const one = firstFault(all, (tool, at) => oneFault(tool, `tools.${at}`, betas))
  if (one !== undefined) return one
  if (all.length > 0 && all.every(({ defer_loading }) => defer_loading === true))
    return 'At least one tool must have defer_loading=false.'
  return serverFault(listOf(mcp_servers), all, betas)
}

function oneFault(tool: Fields, place: string, betas = 'computer-use'): string | undefined {
  const { type: given, name, strict, input_schema } = tool
  const type = String(given ?? 'custom')
  const [, kind = type] = /^(\w+)_20\d{6}$/.exec(type) ?? []
  if ((kind === type && !UNDATED.includes(type)) || (kind === 'computer' && !betas.includes('computer-use')))
    return unknownTag(place, type, ['custom', ...Object.keys(NAMES).map((known) => `${known}_…`)])
  const fixed = OLD_EDITOR.test(type) ? 'str_replace_editor' : NAMES[kind]
  if (fixed !== undefined && name !== fixed) return `${place}.${type}.name: Input should be '${fixed}'`
  if (type === 'custom' && !/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)))
    return `${place}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
  const extra = type === 'custom' ? Object.keys(tool).find((one) => !IN_TOOL.includes(one)) : undefined
  if (extra !== undefined) return `${place}.custom.${extra}: Extra inputs are not permitted`
  const { type: root } = fieldsOf(input_schema)
  if (type === 'custom' && input_schema !== undefined && root !== 'object')
    return `${place}.custom.input_schema.type: ${root === undefined ? 'Field required' : "Input should be 'object'"}`
  const lacking = ['display_width_px', 'display_height_px'].find((field) => tool[field] === undefined)
  if (kind === 'computer' && lacking !== undefined) return `${place}.${type}.${lacking}: Field required`
  if (tool.allowed_domains != null && tool.blocked_domains != null)
    return `${place}.${type}: Only one of allowed_domains and blocked_domains may be given`
  return strict === true ? openFault(input_schema, `${place}.custom`) : undefined
}

const IN_TOOL =
  'allowed_callers cache_control defer_loading description eager_input_streaming input_examples input_schema name strict type'.split(
    ' ',
  )

/** Objects of a schema that an answer is to follow have no other properties. */
export const openFault = (schema: Json | undefined, place: string): string | undefined =>
  isOpen(schema) ? `${place}: For 'object' type, 'additionalProperties' must be explicitly set to false` : undefined

function isOpen(schema: Json | undefined): boolean {
  const { type, additionalProperties } = fieldsOf(schema)
  if ([type].flat().includes('object') && additionalProperties !== false) return true
  return typeof schema === 'object' && schema !== null && Object.values(schema).some(isOpen)
}

/** Each server has its set of tools, and each set its server. */
function serverFault(servers: readonly Fields[], tools: readonly Fields[], betas: string | undefined) {
  if (servers.length > 0 && betas !== undefined && !betas.includes('mcp-client'))
    return 'mcp_servers: Extra inputs are not permitted'
  const insecure = servers.findIndex(({ url }) => !String(url).startsWith('https://'))
  if (insecure !== -1) return `mcp_servers.${insecure}.url: URL must start with https://`
  const sets = tools.flatMap(({ type, mcp_server_name }) => (type === 'mcp_toolset' ? [mcp_server_name] : []))
  const names = servers.map(({ name }) => name)
  const stray = sets.find((name) => !names.includes(name))
  if (stray !== undefined) return `tools: MCP server '${stray}' of an mcp_toolset is not defined in mcp_servers`
  const unused = betas?.includes('mcp-client-2025-04') ? undefined : names.find((name) => !sets.includes(name))
  return unused === undefined
    ? undefined
    : `mcp_servers: Server '${unused}' is not referenced by an mcp_toolset in tools`
}

/** Blocks of messages, as the API knows them. */
const BLOCKS =
  /^(?:text|image|document|search_result|(?:redacted_)?thinking|\w*tool_use|\w*tool_result|container_upload|compaction|tool_addition|tool_removal|mcp_tool_listing|fallback)$/

/** What blocks need. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['source'],
  document: ['source'],
  search_result: ['content', 'source', 'title'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id'],
}
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  image: ['base64', 'file', 'url'],
  document: ['base64', 'content', 'file', 'text', 'url'],
}

function oneBlockFault(block: Fields, place: string): string | undefined {
  const { type, source: given, input = {}, text = '', id } = block
  if (type === undefined) return `${place}.type: Field required`
  const kind = String(type)
  if (!BLOCKS.test(kind)) return unknownTag(place, type, Object.keys(NEEDED))
  const here = `${place}.${kind}`
  const lacking = NEEDED[kind]?.find((field) => block[field] == null)
  if (lacking !== undefined) return `${here}.${lacking}: Field required`
  const { type: cache, ttl = '5m' } = fieldsOf(block.cache_control)
  if (block.cache_control != null && cache !== 'ephemeral')
    return unknownTag(`${here}.cache_control`, cache, ['ephemeral'])
  if (ttl !== '5m' && ttl !== '1h') return `${here}.cache_control.ephemeral.ttl: Input should be '5m' or '1h'`
  if (kind === 'text' && typeof text !== 'string') return `${here}.text: Input should be a valid string`
  const extra = kind === 'text' ? Object.keys(block).find((name) => !IN_TEXT.includes(name)) : undefined
  if (extra !== undefined) return `${here}.${extra}: Extra inputs are not permitted`
  if (typeof input !== 'object') return `${here}.input: Input should be a valid dictionary`
  if (kind === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(id)))
    return `${here}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
  const source = fieldsOf(given)
  const known = SOURCES[kind]
  if (known === undefined) return undefined
  if (!known.includes(String(source.type))) return unknownTag(`${here}.source`, source.type, known)
  if (source.type === 'text' && source.media_type !== 'text/plain')
    return `${here}.source.text.media_type: Input should be 'text/plain'`
  return source.type === 'url' && !String(source.url).startsWith('https://')
    ? `${here}.source: Only HTTPS URLs are supported.`
    : undefined
}

const IN_TEXT = ['cache_control', 'citations', 'text', 'type']

/** Why a block of a message is refused by its form. */
export const formFault = (messages: readonly Fields[]): string | undefined =>
  firstFault(messages, ({ content }, at) =>
    firstFault(listOf(content), (block, place) => oneBlockFault(block, `messages.${at}.content.${place}`)),
  )

/** Why the blocks of a request are refused together. */
export function blockFault({ system, messages, output_config, output_format }: Fields): string | undefined {
  const all = listOf(messages)
  const own = all.flatMap(({ content, role }, at) =>
    typeof content === 'string' && (content !== '' || role !== 'assistant' || at < all.length - 1)
      ? [{ type: 'text', text: content }]
      : listOf(content),
  )
  for (const [place, blocks] of [['system', listOf(system)] as const, ['messages', own] as const]) {
    const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
    if (texts.includes('')) return `${place}: text content blocks must be non-empty`
    if (texts.some((text) => text.trim() === ''))
      return `${place}: text content blocks must contain non-whitespace text`
  }
  const sources = blocksOf(own).filter(({ type }) => type === 'document' || type === 'search_result')
  const cited = sources.filter(({ citations }) => fieldsOf(citations).enabled === true).length
  if (cited > 0 && cited < sources.length)
    return 'Citations must be enabled on all or none of the documents and search results of a request.'
  const { type, schema } = fieldsOf(fieldsOf(output_config).format ?? output_format)
  if (type !== 'json_schema') return undefined
  if (cited > 0) return 'Citations are not supported together with output_config.format.'
  return openFault(schema, 'output_config.format.schema')
}
