import type { ModelReply } from '../../src/handlers.ts'
import { argumentsOf } from '../shared/hosted-calls.ts'
import { merged } from '../shared/merged.ts'
import { after, toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, listOf, withoutKept } from '../shared/values.ts'
import { type Context, type Due, find, missing, type Work } from './context.ts'
import { addItems, itemsOf } from './conversations.ts'
import { refuseScripted, streamOptions, toFailure, toStreamError } from './errors.ts'
import { type Asked, toHostedCalls } from './hosted-tools.ts'
import { toPage } from './lists.ts'
import { checkLength, checkModel, effortOf, isAzure, isModel, snapshotOf, tierOf } from './models.ts'
import { withCached } from './prompt-cache.ts'
import { faultOfParameters, faultOfResponse } from './request-fault.ts'
import { toEvents } from './response-events.ts'
import { type Searched, textOfItem, toInputItems, toOutputItems } from './response-items.ts'
import { toTalk } from './response-talk.ts'
import { useContainer } from './sessions.ts'
import { search } from './vector-stores.ts'

/** Seconds that a response in the background waits and works. */
const QUEUED_S = 2
const WORKING_S = 20

export const responses = {
  'POST /responses': (context: Context) => {
    const { body, records } = context
    const model = modelOf(context)
    const before = earlierItems(context)
    const input = inputOf(context)
    checkRequest(context, [...before, ...input])
    const base = toResponse(context, body, model)
    // A stream of one in the background has all of its events at once.
    if (body.background === true && body.stream !== true) {
      context.notePrompt(toTalk(context, model, body, [...before, ...input]))
      const queued = { status: 'queued', advances_at: after(context.now, QUEUED_S) }
      return withoutKept(records.responses.create({ ...base, ...queued, ...keptOf(body, before, input) }))
    }
    const talk = toTalk(context, model, body, [...before, ...input])
    if (body.truncation !== 'auto') checkLength(context, talk, 'input')
    const reply = withCached(context, talk, context.reply(talk))
    refuseScripted(context, reply.error)
    const answered = { ...base, ...answerOf(context, { request: body, before: [...before, ...input] }, reply) }
    const isStored = body.store !== false
    const response = isStored
      ? withoutKept(records.responses.create({ ...answered, ...keptOf(body, before, input) }))
      : { id: context.id('resp_'), ...answered }
    if (body.background === true)
      context.emit(`response.${response.status}`, records.responses.get(String(response.id)))
    keepInConversation(context, body, [...input, ...listOf(response.output)])
    return body.stream === true ? streamed(context, response, reply) : response
  },
  'GET /responses/{response_id}': (context: Context) => {
    const response = withoutKept(find(context, 'responses', 'response_id'))
    const { stream, starting_after: from = -1 } = context.query
    if (stream !== true) return response
    return context.stream([...toEvents(response)].filter((_, at) => at > Number(from)))
  },
  'DELETE /responses/{response_id}': (context: Context) => {
    const { id } = find(context, 'responses', 'response_id')
    context.records.responses.remove(id)
    return { id, object: 'response', deleted: true }
  },
  'POST /responses/{response_id}/cancel': (context: Context) => {
    const { id, background, status } = find(context, 'responses', 'response_id')
    if (background !== true) context.refuse(400, { message: 'Cannot cancel a synchronous response.' })
    const isOpen = status === 'queued' || status === 'in_progress'
    const change = isOpen ? { status: 'cancelled', advances_at: null } : {}
    return withoutKept(context.records.responses.update(id, change))
  },
  /** With the items of earlier responses, as at OpenAI. */
  'GET /responses/{response_id}/input_items': (context: Context) => {
    const { kept_before, kept_input } = find(context, 'responses', 'response_id')
    return toPage(context, [...listOf(kept_before), ...listOf(kept_input)])
  },
  'POST /responses/input_tokens': (context: Context) => {
    const { body, tokens } = context
    const items = [...earlierItems(context), ...inputOf(context)]
    return { object: 'response.input_tokens', input_tokens: tokens(toTalk(context, String(body.model), body, items)) }
  },
  'POST /responses/compact': (context: Context) => {
    const { body, id, now, tokens } = context
    const items = [...earlierItems(context), ...inputOf(context)]
    const output = [
      ...items.filter(({ role }) => role === 'user'),
      { id: id('cmp_'), type: 'compaction', encrypted_content: id('sealed_') },
    ]
    const used = tokens(toTalk(context, String(body.model), body, items))
    return { id: id('resp_'), object: 'response.compaction', created_at: toUnix(now), output, usage: toUsage(used, 0) }
  },
  /** A response in the background goes on: it is queued, works, and answers. */
  advanceResponse: (context: Due) => {
    const { record, update, now } = context
    if (record.status === 'queued') return update({ status: 'in_progress', advances_at: after(now, WORKING_S) })
    const request = fieldsOf(record.kept_request)
    const items = [...listOf(record.kept_before), ...listOf(record.kept_input)]
    const reply = context.reply(toTalk(context, String(record.model), request, items))
    const answer = answerOf(context, { request, before: items }, reply)
    keepInConversation(context, request, [...listOf(record.kept_input), ...listOf(answer.output)])
    return update({ ...answer, advances_at: null })
  },
}

/** The model of a response: of no family, it is a fault of the field. */
function modelOf(context: Context): string {
  const { model = 'gpt-5' } = context.body
  if (isModel(model) || isAzure(context) || context.path.openrouter !== undefined)
    return checkModel(context, model, 'sample from')
  const message = `The requested model '${model}' does not exist.`
  return context.refuse(400, { code: 'unknown_model', message })
}

/** What a record keeps besides the response. */
const keptOf = (request: Fields, before: Fields[], input: Fields[]): Fields => ({
  kept_request: request,
  kept_before: before,
  kept_input: input,
})

/** The items before a request's input: of the previous responses, or of the conversation. */
function earlierItems({ body, records, refuse }: Context): Fields[] {
  const { previous_response_id: previous, conversation } = body
  if (typeof previous === 'string') {
    if (conversation != null)
      refuse(400, {
        code: 'mutually_exclusive_parameters',
        message:
          "Mutually exclusive parameters. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      })
    const field = 'previous_response_id'
    const named = `Previous response with id '${previous}'`
    const [status, why] = missing('responses', previous, field)
    const unknown = { code: 'previous_response_not_found', message: `${named} not found.`, field }
    const found = records.responses.get(previous) ?? refuse(400, status === 400 ? why : unknown)
    if (found.status === 'queued' || found.status === 'in_progress')
      refuse(400, { message: `${named} is ${found.status}. Wait until it is completed.`, field })
    return [...listOf(found.kept_before), ...listOf(found.kept_input), ...listOf(found.output)]
  }
  const id = conversationOf(conversation)
  if (id === undefined) return []
  if (records.conversations.get(id) === undefined) refuse(...missing('conversations', id, 'conversation'))
  return itemsOf(records, id)
}

/** The items of a request's input; a reference stands for an item of a stored response. */
function inputOf(context: Context): Fields[] {
  const { body, records, refuse } = context
  return toInputItems(context, body.input).map((item) => {
    if (item.type !== 'item_reference') return item
    const stored = [...records.responses].flatMap((one) => [...listOf(one.kept_input), ...listOf(one.output)])
    return (
      stored.find(({ id }) => id === item.id) ??
      refuse(404, { code: 'not_found', message: `Item with id '${item.id}' not found.`, field: 'input' })
    )
  })
}

/** Refuses calls and outputs without each other, and searches in unknown stores. */
function checkRequest(context: Context, items: readonly Fields[]): void {
  const { body, records, refuse } = context
  const fault = faultOfParameters(context, 'response') ?? faultOfResponse(context, body, items)
  if (fault !== undefined) refuse(400, { ...fault })
  const stores = listOf(body.tools).flatMap((tool) => (tool.vector_store_ids ?? []) as string[])
  const unknown = stores.find((id) => records.vector_stores.get(id) === undefined)
  if (unknown !== undefined)
    refuse(404, { code: 'not_found', message: `Vector store with id ${unknown} not found.`, field: 'tools' })
  for (const { container } of listOf(body.tools)) if (typeof container === 'string') useContainer(context, container)
}

function conversationOf(conversation: unknown): string | undefined {
  const id = typeof conversation === 'string' ? conversation : fieldsOf(conversation).id
  return typeof id === 'string' ? id : undefined
}

function keepInConversation(
  { records }: Pick<Work, 'records'>,
  { conversation }: Fields,
  items: readonly Fields[],
): void {
  const id = conversationOf(conversation)
  if (id !== undefined) addItems(records, id, items)
}

/** What a response repeats of its request, with what it has by default. */
const REPEATED: Fields = {
  ...{ background: false, metadata: {}, parallel_tool_calls: true, store: true, temperature: 1, top_p: 1 },
  ...{ tool_choice: 'auto', top_logprobs: 0, truncation: 'disabled' },
  ...{ instructions: null, max_output_tokens: null, max_tool_calls: null, previous_response_id: null, prompt: null },
  ...{
    access_programs: null,
    prompt_cache_key: null,
    prompt_cache_retention: null,
    safety_identifier: null,
    user: null,
  },
}

/** What a tool has by default, as a response repeats it. */
const TOOLS: Readonly<Record<string, Fields>> = {
  custom: { format: { type: 'text' } },
  function: { description: null, parameters: null, strict: true },
  file_search: { filters: null, max_num_results: 20, ranking_options: { ranker: 'auto', score_threshold: 0 } },
  web_search: { filters: null, search_context_size: 'medium', user_location: null },
  web_search_preview: { search_context_size: 'medium', user_location: null },
  mcp: { allowed_tools: null, headers: null, require_approval: 'always', server_description: null },
  image_generation: { background: 'auto', moderation: 'auto', output_format: 'png', quality: 'auto', size: 'auto' },
}

/** The fields of a response that its request decides. */
function toResponse({ now }: Pick<Work, 'now'>, body: Fields, model: string): Fields {
  const conversation = conversationOf(body.conversation)
  return {
    ...{ object: 'response', created_at: toUnix(now), status: 'in_progress', model: snapshotOf(model), output: [] },
    ...{ completed_at: null, error: null, incomplete_details: null, usage: null, service_tier: tierOf(body) },
    ...Object.fromEntries(Object.entries(REPEATED).map(([name, usual]) => [name, body[name] ?? usual])),
    tools: listOf(body.tools).map((tool) => ({ ...TOOLS[String(tool.type)], ...tool })),
    reasoning: { effort: effortOf(model), summary: null, ...fieldsOf(body.reasoning) },
    text: { format: { type: 'text' }, verbosity: 'medium', ...fieldsOf(body.text) },
    ...(conversation !== undefined && { conversation: { id: conversation } }),
  }
}

const REASONS: Readonly<Record<string, string>> = { length: 'max_output_tokens', filter: 'content_filter' }

/** Score of a text that the tool cites. */
const LEAST_SCORE = 0.001

/** What the tool `file_search` of a request finds, by the script's queries or the user's words; undefined without the tool, or where tools' outputs alone were sent. */
function searchFiles(work: Work, { request: { tools }, before }: Asked, { calls }: ModelReply): Searched | undefined {
  const tool = listOf(tools).find(({ type }) => type === 'file_search')
  if (tool === undefined || String(before.at(-1)?.type).endsWith('_output')) return undefined
  const given = argumentsOf(calls.find(({ name }) => name === 'file_search')?.arguments ?? '')
  const asked = textOfItem(before.findLast(({ role }) => role === 'user') ?? {})
  const queries = [given.queries ?? given.query ?? asked].flat().map(String)
  const { vector_store_ids: stores, max_num_results = 10, filters } = tool
  const options = { most: Number(max_num_results), filters: fieldsOf(filters), threshold: LEAST_SCORE }
  return { queries, found: search(work, (stores ?? []) as string[], queries.join(' '), options) }
}

/** The fields of a response that the model decides. */
function answerOf(context: Work, asked: Asked, reply: ModelReply): Fields {
  if (reply.error !== undefined) {
    const { code = 'server_error', message } = reply.error
    return { status: 'failed', error: { code, message } }
  }
  const reason = REASONS[reply.finish]
  const { input, output, cached, reasoning } = reply.usage
  const { request } = asked
  const found = { searched: searchFiles(context, asked, reply), hosted: toHostedCalls(context, asked, reply) }
  const answer: Fields = {
    status: reason === undefined ? 'completed' : 'incomplete',
    completed_at: reason === undefined ? toUnix(context.now) : null,
    incomplete_details: reason === undefined ? null : { reason },
    output: toOutputItems(context, request, reply, found),
    usage: toUsage(input, output, cached, reasoning),
  }
  return merged(answer, reply.set)
}

const toUsage = (input: number, output: number, cached = 0, reasoning = 0): Fields => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

function streamed(context: Context, response: Fields, reply: ModelReply): object {
  const options = streamOptions(reply, (given) => {
    const error = toStreamError(given)
    const { code, message, param } = error
    return { event: 'error', data: { type: 'error', code, message, param, sequence_number: 0, error } }
  })
  return context.stream(toEvents(response), options)
}

/** A response outside of a request: a line of a batch. */
export function completeResponse(work: Work, body: Fields): Fields {
  const model = String(body.model)
  const items = toInputItems(work, body.input)
  const fault = faultOfResponse(work, body, items)
  if (fault !== undefined)
    return { failure: toFailure({ status: 400, code: undefined, type: undefined, ...fault }, fault.field) }
  const reply = work.reply(toTalk(work, model, body, items))
  if (reply.error !== undefined) return { failure: toFailure(reply.error) }
  return {
    id: work.id('resp_'),
    ...toResponse(work, body, model),
    ...answerOf(work, { request: body, before: items }, reply),
  }
}
