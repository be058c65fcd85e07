import { parseJson } from '../../src/protocol/json.ts'
import { EXPIRED } from '../shared/batch-expiry.ts'
import { after, toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, listOf, withoutKept } from '../shared/values.ts'
import { completeChat } from './chat.ts'
import { toTalk as toChatTalk } from './chat-talk.ts'
import { completeText } from './completions.ts'
import { type Context, type Due, find, missing } from './context.ts'
import { embed } from './embeddings.ts'
import { missingField } from './faults.ts'
import { createFile, textOfFile } from './files.ts'
import { plainOperations } from './lists.ts'
import { draw } from './media.ts'
import { isModel } from './models.ts'
import { moderate } from './moderations.ts'
import { toInputItems } from './response-items.ts'
import { toTalk } from './response-talk.ts'
import { completeResponse } from './responses.ts'

/** Seconds of each state. */
const VALIDATING_S = 60
const WORKING_S = 3_600
const ENDING_S = 60
const WINDOW_S = 86_400

/** Most lines whose prompts are shown. */
const MOST_SHOWN = 100

/** What answers a line, by its address. Errors are answers too. */
const ENDPOINTS: Readonly<Record<string, (context: Due, body: Fields) => Fields>> = {
  '/v1/chat/completions': completeChat,
  '/v1/completions': completeText,
  '/v1/responses': completeResponse,
  '/v1/embeddings': embed,
  '/v1/moderations': (_, body) => moderate(body),
  '/v1/images/generations': draw,
  '/v1/images/edits': draw,
}

export const batches = {
  ...plainOperations('batches', { path: '/batches', name: 'batch_id' }),
  'POST /batches': (context: Context) => {
    const { body, now, records, refuse } = context
    const { input_file_id, endpoint, completion_window, metadata = null, output_expires_after = null } = body
    const field = 'input_file_id'
    const [status, why] = missing('files', input_file_id, field)
    const unknown = status === 400 ? why : { message: `Invalid file ID: ${input_file_id}`, field }
    const file = records.files.get(String(input_file_id)) ?? refuse(400, unknown)
    if (file.purpose !== 'batch') refuse(400, { message: "The purpose of the input file is not 'batch'.", field })
    notePrompts(context, textOfFile(context, input_file_id) ?? '')
    const created_at = toUnix(now)
    const times = ['in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled']
    return withoutKept(
      records.batches.create({
        ...{ object: 'batch', endpoint, errors: null, input_file_id, completion_window, status: 'validating' },
        ...{ output_file_id: null, error_file_id: null, created_at, expires_at: created_at + WINDOW_S },
        ...Object.fromEntries(times.map((name) => [`${name}_at`, null])),
        ...{ request_counts: { total: 0, completed: 0, failed: 0 }, metadata },
        kept_seconds: fieldsOf(output_expires_after).seconds ?? null,
        advances_at: after(now, VALIDATING_S),
      }),
    )
  },
  'POST /batches/{batch_id}/cancel': (context: Context) => {
    const { id, status } = find(context, 'batches', 'batch_id')
    if (status !== 'validating' && status !== 'in_progress')
      context.refuse(409, { message: `Cannot cancel a batch with status '${status}'.` })
    const change = { status: 'cancelling', cancelling_at: toUnix(context.now) }
    return withoutKept(context.records.batches.update(id, { ...change, advances_at: after(context.now, ENDING_S) }))
  },
  /** A batch goes on: it is validated, works, and ends. */
  advanceBatch: (context: Due) => {
    const { record, now } = context
    switch (record.status) {
      case 'validating':
        return validate(context)
      case 'in_progress':
        return work(context)
      case 'finalizing':
        return end(context, 'completed')
      default:
        return context.update({ status: 'cancelled', cancelled_at: toUnix(now), advances_at: null })
    }
  },
}

/** Shows what the lines of a batch ask. */
function notePrompts(context: Context, text: string): void {
  for (const line of text.split('\n').slice(0, MOST_SHOWN)) {
    const body = fieldsOf(requestOf(line)?.body)
    if (Array.isArray(body.messages)) context.notePrompt(toChatTalk(context, String(body.model), body))
    if (body.input !== undefined && body.messages === undefined && requestOf(line)?.url === '/v1/responses')
      context.notePrompt(toTalk(context, String(body.model), body, toInputItems(context, body.input)))
  }
}

/** The request of a line; undefined of one that is not JSON. */
function requestOf(line: string): Fields | undefined {
  const request = parseJson(line)
  return request === undefined ? undefined : fieldsOf(request)
}

const linesOf = (context: Due): string[] =>
  (textOfFile(context, context.record.input_file_id) ?? '').split('\n').filter((line) => line.trim() !== '')

/** Fails a batch with lines that are no requests to its endpoint. */
function validate(context: Due): Fields {
  const { record, now, update } = context
  const lines = linesOf(context)
  const ids = new Set<unknown>()
  const data = lines.flatMap((line, at) => {
    const [code, message = '', param = null] = faultOf(line, String(record.endpoint), ids)
    return code === undefined ? [] : [{ code, message, line: at + 1, param }]
  })
  const message = 'The input file is empty. Please ensure that your batch contains at least one request.'
  if (lines.length === 0) data.push({ code: 'empty_file', message, line: 0, param: null })
  if (data.length > 0)
    return update({ status: 'failed', failed_at: toUnix(now), errors: { object: 'list', data }, advances_at: null })
  return update({
    status: 'in_progress',
    in_progress_at: toUnix(now),
    model: fieldsOf(requestOf(lines[0] ?? '')?.body).model ?? null,
    request_counts: { total: lines.length, completed: 0, failed: 0 },
    advances_at: after(now, WORKING_S),
  })
}

/** Why a line is refused; nothing of a good one. */
function faultOf(line: string, endpoint: string, ids: Set<unknown>): [code?: string, message?: string, field?: string] {
  const request = requestOf(line)
  if (request === undefined) return ['invalid_json_line', 'This line is not parseable as valid JSON.']
  const { custom_id, url } = request
  const field = 'custom_id'
  if (typeof custom_id !== 'string') return ['missing_required_parameter', missingField(field).message, field]
  const repeated = `The custom_id '${custom_id}' for this request is a duplicate of another request. The custom_id parameter must be unique for each request in a batch.`
  if (ids.has(custom_id)) return ['duplicate_custom_id', repeated, field]
  ids.add(custom_id)
  if (url === endpoint) return []
  return ['invalid_url', 'The URL provided for this request does not match the batch endpoint.', 'url']
}

/** Answers all lines. A batch with one that is not answered in time ends with its window. */
function work(context: Due): Fields {
  const { record, now, update, id } = context
  if (record.kept_answers !== undefined) return end(context, 'expired')
  const kept_answers = linesOf(context).map((line) => {
    const { custom_id = null, url, body } = fieldsOf(JSON.parse(line))
    const answer = answerLine(context, String(url), fieldsOf(body))
    if (fieldsOf(answer.body.error).code !== EXPIRED)
      return { id: id('batch_req_'), custom_id, response: { ...answer, request_id: id('req_') }, error: null }
    const message = 'This request could not be executed before the completion window expired.'
    return { id: id('batch_req_'), custom_id, response: null, error: { code: EXPIRED, message } }
  })
  if (kept_answers.some(({ error }) => error !== null))
    return update({ kept_answers, advances_at: new Date(Number(record.expires_at) * 1_000).toISOString() })
  const ending = { status: 'finalizing', finalizing_at: toUnix(now), advances_at: after(now, ENDING_S) }
  return update({ kept_answers, ...ending })
}

/** Writes the files of outputs and errors. */
function end(context: Due, status: 'completed' | 'expired'): Fields {
  const { record, now, update } = context
  const answered = listOf(record.kept_answers)
  const isDone = ({ response }: Fields): boolean => Number(fieldsOf(response).status_code ?? 400) < 400
  const [done, failed] = [answered.filter(isDone), answered.filter((line) => !isDone(line))]
  const write = (lines: readonly Fields[], kind: string) => {
    if (lines.length === 0) return null
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const content = Buffer.from(text).toString('base64')
    const expiresAfter = record.kept_seconds === null ? undefined : Number(record.kept_seconds)
    const filename = `${record.id}_${kind}.jsonl`
    return createFile(context, { filename, purpose: 'batch_output', content, expiresAfter }).id
  }
  return update({
    status,
    [`${status}_at`]: toUnix(now),
    output_file_id: write(done, 'output'),
    error_file_id: write(failed, 'error'),
    request_counts: { total: answered.length, completed: done.length, failed: failed.length },
    usage: usageOf(done),
    kept_answers: [],
    advances_at: null,
  })
}

/** The tokens of all lines, of chats and of responses. */
function usageOf(lines: readonly Fields[]): Fields {
  const used = lines.map(({ response }) => fieldsOf(fieldsOf(fieldsOf(response).body).usage))
  const sum = (count: (usage: Fields) => unknown): number => used.reduce((all, one) => all + Number(count(one) ?? 0), 0)
  const input_tokens = sum(({ input_tokens, prompt_tokens = input_tokens }) => prompt_tokens)
  const output_tokens = sum(({ output_tokens, completion_tokens = output_tokens }) => completion_tokens)
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: {
      reasoning_tokens: sum(
        ({ output_tokens_details, completion_tokens_details = output_tokens_details }) =>
          fieldsOf(completion_tokens_details).reasoning_tokens,
      ),
    },
    total_tokens: input_tokens + output_tokens,
  }
}

function answerLine(context: Due, url: string, body: Fields): { status_code: number; body: Fields } {
  const answer = ENDPOINTS[url]
  if (answer === undefined || (url !== '/v1/moderations' && !isModel(body.model))) {
    const error = { message: `The model \`${body.model}\` does not exist.`, type: 'invalid_request_error', param: null }
    return { status_code: 404, body: { error: { ...error, code: 'model_not_found' } } }
  }
  const answered = answer(context, body)
  const { status = 200, ...rest } = fieldsOf(answered.failure)
  return answered.failure === undefined
    ? { status_code: 200, body: answered }
    : { status_code: Number(status), body: rest }
}
