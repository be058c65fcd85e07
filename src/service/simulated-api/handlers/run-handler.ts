import { idFrom } from '../../../protocol/expression.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { hashText, Random } from '../../../runtime/random.ts'
import { keyOf } from '../../world/field.ts'
import { type Answered, type ApiCall, type Found, NO_CHANGES, type Setting } from '../calls/call.ts'
import type { ApiResponse } from '../exchange.ts'
import { answerEmpty, answerJson, answerRecord, answerRecords } from '../operations/answer.ts'
import { findRecord } from '../operations/find-record.ts'
import { type Handler, type HandlerAnswer, type HandlerCall, WholeAnswer } from './handler.ts'
import type { HandlerDraft } from './handler-draft.ts'

/** Calls a handler; its answer and its changes. Throws a `Refusal`. */
export function runHandler(setting: Setting, call: ApiCall, draft: HandlerDraft, handler: Handler): Answered {
  const answer = handler(toHandlerCall(setting, call), draft)
  const response = toResponse(setting, call, answer, draft)
  const { advanceTo, isPreview } = draft
  return { response, changes: isPreview ? NO_CHANGES : draft.changes(), ...(advanceTo !== undefined && { advanceTo }) }
}

function toHandlerCall(setting: Setting, call: ApiCall): HandlerCall {
  const { params, query, body, request, key, at, operation } = call
  const { effect } = operation
  const sent = `${request.headers['idempotency-key'] ?? ''}${Buffer.from(request.body).toString('latin1')}`
  const seed = `${setting.seed}${at}${request.path}${hashText(sent).toString(36)}`
  let random: Random | undefined
  let ids = 0
  return {
    path: params,
    query: query.values,
    headers: request.headers,
    body: body.value,
    key,
    now: at,
    random: () => {
      random ??= Random.for(seed)
      return random.next()
    },
    id: (prefix = '') => idFrom(`${seed}#${ids++}`, { prefix }),
    get record() {
      return 'keys' in effect ? findRecord(setting, call, effect)?.record : undefined
    },
    get parent() {
      const param = 'scope' in effect ? effect.scope.at(-1) : undefined
      if (param?.collection === undefined) return undefined
      const view = setting.world.collection(param.collection)
      const own = view.findIn(params[param.param] ?? '', [])
      return own === undefined ? undefined : view.get(own)
    },
    seed,
    signer: setting.signer,
    parsed: call,
  }
}

function toResponse(setting: Setting, call: ApiCall, answer: HandlerAnswer, draft: HandlerDraft): ApiResponse {
  if (answer instanceof WholeAnswer) return answer.response
  if (answer === undefined) return draft.default?.response ?? answerEmpty(call)
  const { effect } = call.operation
  if (!('envelope' in effect && 'collection' in effect)) return answerJson(call, answer)
  const { model } = setting.world.collection(effect.collection)
  const toFound = (record: JsonObject): Found => ({
    collection: effect.collection,
    key: keyOf(model, record) ?? '',
    record,
  })
  const { envelope } = effect
  if (isJsonObject(answer)) {
    const { Location } = draft.default?.response.headers ?? {}
    const headers = typeof Location === 'string' ? { Location } : {}
    return answerRecord(setting, call, { envelope, found: toFound(answer), headers })
  }
  if (isRecords(answer)) return answerRecords(setting, call, { envelope, founds: answer.map(toFound) })
  return answerJson(call, answer)
}

const isRecords = (answer: Json): answer is JsonObject[] => Array.isArray(answer) && answer.every(isJsonObject)
