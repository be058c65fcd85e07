import { EXPIRED } from '../shared/batch-expiry.ts'
import { after } from '../shared/times.ts'
import { fieldsOf, listOf, withoutKept } from '../shared/values.ts'
import { type Context, type Due, type Fields, type Kept, toPage } from './context.ts'
import { missingFile } from './files.ts'
import { toMessage, typeOf } from './messages.ts'
import { isModel, lengthFault } from './models.ts'
import { faultOf } from './request-fault.ts'
import { toTalk } from './talk.ts'

/** Seconds of a batch, of its cancellation, and until its results are gone. */
const WORKING_S = 1_800
const CANCELING_S = 60
const WINDOW_S = 86_400
const KEPT_S = 29 * 86_400

const COUNTS = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 }

function shown({ origin, now }: Context, batch: Kept): Fields {
  const archived = after(new Date(String(batch.created_at)), KEPT_S)
  const isArchived = archived <= now.toISOString()
  const results_url =
    batch.processing_status !== 'ended' || isArchived ? null : `${origin}/v1/messages/batches/${batch.id}/results`
  return { ...withoutKept(batch), ...(isArchived && { archived_at: archived }), results_url }
}

function findBatch({ records, path, refuse }: Context): Kept {
  const id = String(path.batch_id)
  return records.message_batches.get(id) ?? refuse(404, { code: 'not_found', message: `Batch ${id} not found` })
}

export const batches = {
  'POST /v1/messages/batches': (context: Context) => {
    const { body, now, records, refuse } = context
    const requests = listOf(body.requests)
    const ids = requests.map(({ custom_id }) => custom_id)
    const repeated = ids.findIndex((id, at) => ids.indexOf(id) !== at)
    if (repeated !== -1)
      refuse(400, { message: `requests.${repeated}.custom_id: "${ids[repeated]}" is the id of an earlier request` })
    const wrong = ids.findIndex((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(id)))
    if (wrong !== -1)
      refuse(400, { message: `requests.${wrong}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'` })
    // https://platform.claude.com/docs/en/build-with-claude/batch-processing names what a batch does not take.
    for (const [at, { params }] of requests.entries())
      for (const [name, value] of [['stream', true] as const, ['max_tokens', 0] as const])
        if (fieldsOf(params)[name] === value)
          refuse(400, { message: `requests.${at}.params.${name}: ${value} is not supported in a batch` })
    for (const { params } of requests) context.notePrompt(toTalk(context, fieldsOf(params)))
    const made = records.message_batches.create({
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { ...COUNTS, processing: requests.length },
      created_at: now.toISOString(),
      expires_at: after(now, WINDOW_S),
      ended_at: null,
      cancel_initiated_at: null,
      archived_at: null,
      kept_requests: requests,
      kept_betas: context.headers['anthropic-beta'] ?? '',
      advances_at: after(now, WORKING_S),
    })
    return shown(context, made)
  },
  'GET /v1/messages/batches': (context: Context) =>
    toPage(
      context,
      [...context.records.message_batches].map((batch) => ({ id: batch.id, ...shown(context, batch) })),
    ),
  'GET /v1/messages/batches/{batch_id}': (context: Context) => shown(context, findBatch(context)),
  'DELETE /v1/messages/batches/{batch_id}': (context: Context) => {
    const { id, processing_status } = findBatch(context)
    if (processing_status !== 'ended') context.refuse(400, { message: 'A batch can be deleted after it has ended.' })
    context.records.message_batches.remove(id)
    return { id, type: 'message_batch_deleted' }
  },
  'POST /v1/messages/batches/{batch_id}/cancel': (context: Context) => {
    const { now, records } = context
    const { id, processing_status } = findBatch(context)
    if (processing_status !== 'in_progress') context.refuse(400, { message: 'The batch is not in progress.' })
    const change = { processing_status: 'canceling', cancel_initiated_at: now.toISOString() }
    return shown(context, records.message_batches.update(id, { ...change, advances_at: after(now, CANCELING_S) }))
  },
  'GET /v1/messages/batches/{batch_id}/results': (context: Context) => {
    const batch = findBatch(context)
    if (shown(context, batch).results_url === null)
      context.refuse(404, { code: 'not_found', message: 'The batch has no results yet, or they are archived.' })
    const body = listOf(batch.kept_results)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
    return context.respond({ headers: { 'Content-Type': 'application/x-jsonl' }, body })
  },
  /** A batch ends: each of its requests is answered, or canceled. One that is not answered in time ends with the window. */
  advanceBatch: (context: Due) => {
    const { record, now, update } = context
    const isCanceled = record.processing_status === 'canceling'
    const isLate = record.kept_results !== undefined && !isCanceled
    const results = isLate
      ? listOf(record.kept_results)
      : listOf(record.kept_requests).map(({ custom_id = null, params }) => ({
          custom_id,
          result: isCanceled ? { type: 'canceled' } : answer(context, fieldsOf(params)),
        }))
    const count = (type: string) => results.filter(({ result }) => fieldsOf(result).type === type).length
    if (count('expired') > 0 && !isLate) return update({ kept_results: results, advances_at: record.expires_at })
    return update({
      processing_status: 'ended',
      ended_at: now.toISOString(),
      request_counts: Object.fromEntries(Object.keys(COUNTS).map((type) => [type, count(type)])),
      kept_results: results,
      advances_at: null,
    })
  },
}

function answer(context: Due, params: Fields): Fields {
  const failed = (type: string, message: string): Fields => ({
    type: 'errored',
    error: { type: 'error', error: { type, message }, request_id: null },
  })
  if (!isModel(params.model)) return failed('not_found_error', `model: ${params.model}`)
  const missing = missingFile(context, params)
  if (missing !== undefined) return failed('not_found_error', `File not found: ${missing}`)
  const talk = toTalk(context, params)
  const betas = String(context.record.kept_betas)
  const fault = faultOf(params, betas) ?? lengthFault(talk, params.max_tokens, betas, context.tokens(talk))
  if (fault !== undefined) return failed('invalid_request_error', fault)
  const reply = context.reply(talk)
  if (reply.error?.code === EXPIRED) return { type: 'expired' }
  if (reply.error !== undefined) return failed(typeOf(reply.error), reply.error.message)
  return { type: 'succeeded', message: toMessage(context, params, reply, 'batch') }
}
