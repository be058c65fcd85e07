import { parseJson } from '../../src/protocol/json.ts'
import { EXPIRED } from '../shared/batch-expiry.ts'
import { after } from '../shared/times.ts'
import { type Fields, fieldsOf, type Kept, listOf, withoutKept } from '../shared/values.ts'
import { tryContent } from './content.ts'
import {
  type Context,
  type Due,
  invalid,
  read,
  refuseWith,
  removing,
  toPage,
  toRpcStatus,
  type Work,
} from './context.ts'
import { embed } from './embeddings.ts'
import { createFile, textOfFile } from './files.ts'
import { checkModel, idOf } from './models.ts'
import { toTalk } from './talk.ts'

/** Seconds that a batch waits, and works. */
const PENDING_S = 60
const WORKING_S = 3_600
const WINDOW_S = 48 * 3_600

const TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta'

/** A batch is shown as an operation. */
function shown({ kept_fault, ...batch }: Fields): Fields {
  const { id: _, kind, ...metadata } = withoutKept(batch)
  const { state, name = '', output } = metadata
  const isDone = !['BATCH_STATE_PENDING', 'BATCH_STATE_RUNNING'].includes(String(state))
  const why = state === 'BATCH_STATE_EXPIRED' ? 'not done in time' : 'cancelled'
  const error = { code: kept_fault === null ? 1 : 3, message: kept_fault ?? `The batch was ${why}.` }
  const response = { '@type': `${TYPE}.${kind}Batch.Output`, ...fieldsOf(output) }
  return {
    name,
    metadata: { '@type': `${TYPE}.${kind}Batch`, ...metadata },
    ...(isDone && { done: true, ...(state === 'BATCH_STATE_SUCCEEDED' ? { response } : { error }) }),
  }
}

function findBatch(context: Context): Kept {
  const { id } = context.path
  return (
    context.records.batches.get(id) ?? refuseWith(context, { status: 404, message: `Batch batches/${id} not found.` })
  )
}

/** One request of a batch, with what its answer repeats: the metadata of an inline one, the key of a line. */
interface BatchRequest {
  readonly request: Fields
  readonly mark: Fields
}

function create(context: Context, kind: 'EmbedContent' | 'GenerateContent', method: string): Fields {
  const { body, now, records, id, origin } = context
  const model = checkModel(context, method)
  const input = read(body.batch, 'inputConfig')
  const fileName = read(input, 'fileName')
  const inline = listOf(fieldsOf(read(input, 'requests')).requests)
  const text = fileName === undefined ? undefined : textOfFile(context, fileName)
  if (fileName !== undefined && text === undefined)
    refuseWith(context, { status: 404, message: `File ${fileName} not found.` })
  const { requests, fault } = text === undefined ? { requests: inline.map(toInline), fault: undefined } : linesOf(text)
  if (requests.length === 0 && fault === undefined)
    refuseWith(context, invalid('A batch must have at least one request.'))
  if (kind === 'GenerateContent')
    for (const { request } of requests) context.notePrompt(toTalk(context, model, request))
  const key = id().toLowerCase()
  const count = String(requests.length)
  return shown(
    records.batches.create({
      id: key,
      name: `batches/${key}`,
      kind,
      model: `models/${model}`,
      displayName: read(body.batch, 'displayName') ?? '',
      ...(fileName !== undefined && { inputConfig: { fileName } }),
      createTime: now.toISOString(),
      updateTime: now.toISOString(),
      batchStats: { requestCount: count, pendingRequestCount: count },
      state: 'BATCH_STATE_PENDING',
      kept_requests: requests.map(({ request, mark }) => ({ request, mark })),
      kept_origin: origin,
      kept_fault: fault ?? null,
      advances_at: after(now, PENDING_S),
    }),
  )
}

const toInline = ({ request, metadata }: Fields): BatchRequest => ({
  request: fieldsOf(request),
  mark: metadata === undefined ? {} : { metadata },
})

/** The requests of a file's lines; the fault of the first one that is not JSON. */
function linesOf(text: string): { requests: BatchRequest[]; fault?: string } {
  const requests: BatchRequest[] = []
  for (const [at, line] of text.trim().split('\n').entries()) {
    const parsed = parseJson(line)
    if (parsed === undefined) return { requests, fault: `Line ${at + 1} of the file is not JSON.` }
    const { key = String(at), request } = fieldsOf(parsed)
    requests.push({ request: fieldsOf(request), mark: { key } })
  }
  return { requests }
}

export const batches = {
  'POST /models/{model}:batchGenerateContent': (context: Context) =>
    create(context, 'GenerateContent', 'batchGenerateContent'),
  'POST /models/{model}:asyncBatchEmbedContent': (context: Context) =>
    create(context, 'EmbedContent', 'asyncBatchEmbedContent'),
  'GET /batches': (context: Context) => toPage(context, 'operations', [...context.records.batches].map(shown)),
  'GET /batches/{id}': (context: Context) => shown(findBatch(context)),
  'DELETE /batches/{id}': removing('batches', findBatch),
  'POST /batches/{id}:cancel': (context: Context) => {
    const { id, advances_at } = findBatch(context)
    const time = context.now.toISOString()
    const change = { state: 'BATCH_STATE_CANCELLED', endTime: time, updateTime: time, advances_at: null }
    if (advances_at !== null) context.records.batches.update(id, change)
    return {}
  },
  /** A batch goes on: it waits, works, and ends with an answer for each request. */
  advanceBatch: (context: Due) => {
    const { record, now, update } = context
    const updateTime = now.toISOString()
    if (record.kept_fault !== null)
      return update({ state: 'BATCH_STATE_FAILED', updateTime, endTime: updateTime, advances_at: null })
    if (record.state === 'BATCH_STATE_PENDING')
      return update({ state: 'BATCH_STATE_RUNNING', updateTime, advances_at: after(now, WORKING_S) })
    if (record.kept_answers !== undefined)
      return update({ state: 'BATCH_STATE_EXPIRED', updateTime, endTime: updateTime, advances_at: null })
    const answers = listOf(record.kept_requests).map(({ request, mark }) => ({
      ...fieldsOf(mark),
      ...answer(context, fieldsOf(request)),
    }))
    if (answers.some(({ late }) => late === true)) {
      const created = new Date(String(record.createTime))
      return update({ kept_answers: answers, advances_at: after(created, WINDOW_S) })
    }
    const failed = answers.filter(({ error }) => error !== undefined).length
    const successful = answers.length - failed
    return update({
      state: 'BATCH_STATE_SUCCEEDED',
      updateTime,
      endTime: updateTime,
      batchStats: {
        requestCount: String(answers.length),
        ...(successful > 0 && { successfulRequestCount: String(successful) }),
        ...(failed > 0 && { failedRequestCount: String(failed) }),
      },
      output: toOutput(context, answers),
      advances_at: null,
    })
  },
}

function answer(context: Due, request: Fields): Fields {
  const model = idOf(context.record.model)
  if (context.record.kind === 'EmbedContent') return { response: { embedding: embed(context, model, request) } }
  const made = tryContent(context, model, request)
  if ('fault' in made && made.fault.rpc === EXPIRED) return { late: true }
  return 'fault' in made ? { error: toRpcStatus(made.fault) } : { response: made.response }
}

/** Answers of a file are a file, others stand in the batch. */
function toOutput(context: Due & Work, answers: readonly Fields[]): Fields {
  const { record } = context
  const list = { inlinedResponses: [...answers] }
  if (record.inputConfig === undefined)
    return record.kind === 'EmbedContent' ? { inlinedEmbedContentResponses: list } : { inlinedResponses: list }
  const bytes = Buffer.from(answers.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const file = createFile(context, String(record.kept_origin), {
    id: `batch-${record.id}`,
    mimeType: 'application/jsonl',
    content: bytes.toString('base64'),
    size: bytes.length,
    source: 'GENERATED',
  })
  return { responsesFile: file.name ?? '' }
}
