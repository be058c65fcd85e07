import { createHash } from 'node:crypto'
import { fieldsOf, firstFault, listOf } from '../shared/values.ts'
import { pictureFault } from './attachments.ts'
import type { Fields, Json } from './context.ts'
import { blockFault, formFault, toolFault } from './tool-fault.ts'
import { inQuotes, unknownTag } from './unknown-tag.ts'

/** Why a request for a message is refused; undefined for a good one. @param betas the header; undefined where it is not known */
export function faultOf(request: Fields, betas?: string): string | undefined {
  return (
    formFault(listOf(request.messages)) ??
    fieldFault(request, betas) ??
    toolFault(request, betas) ??
    blockFault(request) ??
    pictureFault(listOf(request.messages)) ??
    thoughtFault(listOf(request.messages))
  )
}

/** What a model signs its thoughts with. */
export const signatureOf = (thinking: unknown): string =>
  createHash('sha256').update(`thought ${thinking}`).digest('base64')

/** Thoughts come back as the model has signed them. */
function thoughtFault(messages: readonly Fields[]): string | undefined {
  return firstFault(messages, ({ content }, at) => {
    const wrong = listOf(content).findIndex(
      ({ type, thinking, signature }) => type === 'thinking' && thinking !== '' && signature !== signatureOf(thinking),
    )
    return wrong === -1 ? undefined : `messages.${at}.content.${wrong}: Invalid \`signature\` in \`thinking\` block`
  })
}

/** Fields of a request, of the SDK's types. */
const NAMES =
  'max_tokens messages model billing_policy cache_control compaction container context_management diagnostics fallback_credit_token fallbacks inference_geo mcp_servers metadata output_config output_format service_tier speed stop_sequences stream system temperature thinking thread tool_choice tools top_k top_p'.split(
    ' ',
  )

function fieldFault(request: Fields, betas: string | undefined): string | undefined {
  const { max_tokens, messages, tools } = request
  if (max_tokens === undefined) return 'max_tokens: Field required'
  if (!Number.isInteger(max_tokens)) return 'max_tokens: Input should be a valid integer'
  if (Number(max_tokens) < 0) return 'max_tokens: must be greater than or equal to 0'
  const unknown = Object.keys(request).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`
  const unthinkable = thinkingFault(request, betas) ?? samplingFault(request)
  if (unthinkable !== undefined) return unthinkable
  const untagged = tagFault(request)
  if (untagged !== undefined) return untagged
  const { effort } = fieldsOf(request.output_config)
  if (effort != null && !EFFORTS.includes(String(effort)))
    return `output_config.effort: Input should be ${inQuotes(EFFORTS).replace(/, (?=[^,]*$)/, ' or ')}`
  if (effort != null && EFFORTLESS.test(String(request.model)))
    return 'This model does not support the effort parameter.'
  const all = listOf(messages)
  if (all.length === 0) return 'messages: at least one message is required'
  if (all.some(({ role }, at) => role === 'system' && (at === 0 || !INSTRUCTED.test(String(request.model)))))
    return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.'
  const odd = all.find(({ role }) => !['user', 'assistant', 'system'].includes(String(role)))
  if (odd !== undefined) return `messages: Unexpected role "${odd.role}". Allowed roles are "user" or "assistant"`
  const empty = all.findIndex(
    ({ role, content }) => role === 'user' && (content === '' || (Array.isArray(content) && content.length === 0)),
  )
  if (empty !== -1) return `messages.${empty}: user messages must have non-empty content`
  const bare = all.findIndex(
    ({ role, content }, at) =>
      role === 'assistant' && at < all.length - 1 && Array.isArray(content) && content.length === 0,
  )
  if (bare !== -1)
    return `messages.${bare}: all messages must have non-empty content except for the optional final assistant message`
  const ofCache = cacheFault(request)
  if (ofCache !== undefined) return ofCache
  const unnamed = listOf(tools).findIndex(({ type, name }) => name === undefined && type !== 'mcp_toolset')
  if (unnamed !== -1) return `tools.${unnamed}.name: Field required`
  if ([request.stop_sequences].flat().some((stop) => typeof stop === 'string' && stop.trim() === ''))
    return 'stop_sequences: each stop sequence must contain non-whitespace'
  const { type, name } = fieldsOf(request.tool_choice)
  if (type === 'tool' && name === undefined) return 'tool_choice.tool.name: Field required'
  if (type === 'tool' && !listOf(tools).some((tool) => tool.name === name))
    return `Tool '${name}' not found in provided tools`
  if (all.at(-1)?.role === 'assistant' && UNFILLED.test(String(request.model)) && listOf(tools).every(isOwn))
    return 'This model does not support assistant message prefill. The conversation must end with a user message.'
  if (all.at(-1)?.role === 'assistant' && /\s$/.test(String(begunBy(all.at(-1)))))
    return 'messages: final assistant content cannot end with trailing whitespace'
  const untyped = listOf(tools).findIndex(
    ({ type = 'custom', input_schema }) => type === 'custom' && input_schema === undefined,
  )
  if (untyped !== -1) return `tools.${untyped}.custom.input_schema: Field required`
  return firstFault(all, (_, at) => pairFault(all, at))
}

/** The kinds of fields that come in kinds. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  thinking: ['adaptive', 'between_tools', 'disabled', 'enabled'],
  tool_choice: ['auto', 'any', 'tool', 'none'],
}

/** What can be done to a context. */
const EDITS = ['clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112']

/** Most characters of the id of a user. */
const LONGEST_ID = 256

function tagFault(request: Fields): string | undefined {
  const edits = listOf(fieldsOf(request.context_management).edits)
  const edit = edits.findIndex(({ type }) => !EDITS.includes(String(type)))
  if (edit !== -1) return unknownTag(`context_management.edits.${edit}`, edits[edit]?.type, EDITS)
  const { format } = fieldsOf(request.output_config)
  const { user_id, ...others } = fieldsOf(request.metadata)
  for (const name of Object.keys(others)) return `metadata.${name}: Extra inputs are not permitted`
  if (String(user_id ?? '').length > LONGEST_ID)
    return `metadata.user_id: String should have at most ${LONGEST_ID} characters`
  if (format != null && fieldsOf(format).type !== 'json_schema')
    return "output_config.format.type: Input should be 'json_schema'"
  if (format != null && fieldsOf(format).schema === undefined) return 'output_config.format.schema: Field required'
  if (request.tool_choice != null && listOf(request.tools).length === 0)
    return '`tool_choice` may only be specified while providing `tools`.'
  for (const [place, known] of Object.entries(TAGS)) {
    const { type } = fieldsOf(request[place])
    if (request[place] != null && !known.includes(String(type))) return unknownTag(place, type, known)
  }
  return undefined
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max']

/** The beginning of an answer. */
const begunBy = (message: Fields | undefined): Json =>
  typeof message?.content === 'string' ? message.content : (listOf(message?.content).at(-1)?.text ?? '')

/** Models that take instructions between turns. */
const INSTRUCTED = /^claude-(?:opus-4-[89]|[a-z]+-[5-9])/

/** Models that do not go on with a beginning of their answer. */
const UNFILLED = /^claude-(?:opus|sonnet|fable|mythos)-(?:4-[6-9]|[5-9])/

/** Whether the application runs a tool: a turn that pauses for one of Anthropic goes on. */
const isOwn = ({ type = 'custom' }: Fields): boolean => type === 'custom'

/** Thoughts leave tokens for the answer, and are not to be had with everything. */
function thinkingFault(request: Fields, betas = 'interleaved-thinking'): string | undefined {
  const { model, thinking, max_tokens, tool_choice, temperature = 1, top_k, top_p = 1 } = request
  const { type, budget_tokens } = fieldsOf(thinking)
  if (type === 'enabled' && THOUGHTLESS.test(String(model))) return `'${model}' does not support thinking.`
  if (type === 'adaptive' && BUDGETED.test(String(model))) return 'adaptive thinking is not supported on this model'
  if (type !== 'enabled') return undefined
  if (UNSAMPLED.test(String(model)))
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
  if (typeof budget_tokens !== 'number') return 'thinking.enabled.budget_tokens: Field required'
  if (budget_tokens < LEAST_BUDGET)
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_BUDGET}`
  // Between calls of tools it is of all of a turn's answers.
  const isOfTurn = betas.includes('interleaved-thinking') && listOf(request.tools).length > 0
  if (budget_tokens >= Number(max_tokens) && !isOfTurn)
    return '`max_tokens` must be greater than `thinking.budget_tokens`.'
  if (['any', 'tool'].includes(String(fieldsOf(tool_choice).type)))
    return 'Thinking may not be enabled when tool_choice forces tool use.'
  if (temperature !== 1) return '`temperature` may only be set to 1 when thinking is enabled.'
  if (top_k != null) return '`top_k` must be unset when thinking is enabled.'
  if (Number(top_p) < LEAST_TOP_P)
    return '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.'
  return unthoughtFault(listOf(request.messages))
}

/** Least share of tokens that a thinking model chooses from. */
const LEAST_TOP_P = 0.95

/** A turn that goes on begins with its thoughts. */
function unthoughtFault(messages: readonly Fields[]): string | undefined {
  const isResult = ({ type }: Fields): boolean => type === 'tool_result'
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const goesOn = at === messages.length - 1 || listOf(messages[at + 1]?.content).some(isResult)
  const { content } = messages[at] ?? {}
  const first = typeof content === 'string' ? 'text' : String(listOf(content)[0]?.type)
  if (at === -1 || !goesOn || /thinking$/.test(first)) return undefined
  return `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`
}

/** Models that do not think, and those whose effort is not to be chosen. */
const THOUGHTLESS = /^claude-(?:2|instant|3-(?!7))/
const EFFORTLESS = /^claude-(?:[23]|instant|haiku-4|sonnet-4(?:-[0-5])?(?:-\d{8})?$|opus-4(?:-[01])?(?:-\d{8})?$)/

/** Models that think by a budget alone. */
const BUDGETED = /^claude-(?:[23]|haiku-4|(?:opus|sonnet)-4(?:-[0-5])?(?:-\d{8})?$)/

/** Models without a choice of sampling and of a budget of thoughts, and older ones that take one option of it at most. */
const UNSAMPLED = /^claude-(?:opus-4-[7-9]|(?:opus|sonnet|fable|mythos)-[5-9])/
const SAMPLED_ONCE = /^claude-(?:opus|sonnet|haiku)-4-[1-9](?!\d{6})/

function samplingFault({ model, temperature, top_p, top_k }: Fields): string | undefined {
  for (const [name, value] of Object.entries({ temperature, top_p, top_k })) {
    if (value == null) continue
    const kind = name === 'top_k' ? 'integer' : 'number'
    if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value)))
      return `${name}: Input should be a valid ${kind}`
    if (kind === 'number' && (value < 0 || value > 1)) return `${name}: range: 0..1`
  }
  const given = Object.entries({ temperature, top_p, top_k }).find(([, value]) => (value ?? 1) !== 1)
  if (given !== undefined && UNSAMPLED.test(String(model))) return `\`${given[0]}\` is deprecated for this model.`
  if (temperature == null || top_p == null || !SAMPLED_ONCE.test(String(model))) return undefined
  return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
}

/** Most blocks of a request that end what is cached. */
const MOST_MARKS = 4

/** What is cached for an hour comes before what is cached for five minutes. */
function cacheFault({ tools, system, messages }: Fields): string | undefined {
  const turns = listOf(messages).map(({ content }, at) => [`messages.${at}.content`, content] as const)
  const lists = [['tools', tools] as const, ['system', system] as const, ...turns]
  const marks = lists.flatMap(([place, blocks]) =>
    listOf(blocks).flatMap(({ cache_control }, at) =>
      cache_control == null ? [] : { place: `${place}.${at}`, isLong: fieldsOf(cache_control).ttl === '1h' },
    ),
  )
  if (marks.length > MOST_MARKS)
    return `A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`
  const late = marks.find(({ isLong }, at) => isLong && marks[at - 1]?.isLong === false)
  if (late === undefined) return undefined
  return `${late.place}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
}

/** Fewest tokens of thoughts. */
const LEAST_BUDGET = 1_024

/** Calls of tools have their results in the next message, and results their calls in the one before. */
function pairFault(messages: readonly Fields[], at: number): string | undefined {
  const called = idsOf(messages[at], 'tool_use', 'id')
  const blocks = listOf(messages[at + 1]?.content)
  // Results come before anything else.
  const isLate = blocks[0]?.type !== 'tool_result' && blocks.some(({ type }) => type === 'tool_result')
  if (new Set(called).size < called.length) return `messages.${at}: \`tool_use\` ids must be unique`
  const answered = idsOf(messages[at + 1], 'tool_result', 'tool_use_id')
  const twice = answered.find((id, place) => answered.indexOf(id) !== place)
  if (twice !== undefined)
    return `messages.${at + 1}.content.${answered.lastIndexOf(twice)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`
  const open = called.filter((id) => isLate || !answered.includes(id))
  if (open.length > 0)
    return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
  const before = idsOf(messages[at - 1], 'tool_use', 'id')
  const stray = listOf(messages[at]?.content).findIndex(
    ({ type, tool_use_id }) => type === 'tool_result' && !before.includes(tool_use_id),
  )
  if (stray === -1) return undefined
  return `messages.${at}.content.${stray}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${listOf(messages[at]?.content)[stray]?.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
}

const idsOf = (message: Fields | undefined, type: string, field: string): (Json | undefined)[] =>
  listOf(fieldsOf(message).content).flatMap((block) => (block.type === type ? [block[field]] : []))
