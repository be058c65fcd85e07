import type { ModelReply, StreamEvent, Talk, TalkMessage } from '../../src/handlers.ts'
import { numberOf } from '../openai/chat-talk.ts'
import { streamOptions } from '../openai/errors.ts'
import { joinAnswers } from '../openai/response-talk.ts'
import { argumentsOf } from '../shared/hosted-calls.ts'
import { merged } from '../shared/merged.ts'
import { toPieces } from '../shared/pieces.ts'
import { after } from '../shared/times.ts'
import { type Fields, fieldsOf, type Kept, listOf, withoutKept } from '../shared/values.ts'
import { kindsOf, signature } from './content.ts'
import {
  type Context,
  type Due,
  type Fault,
  invalid,
  read,
  refuseWith,
  removing,
  toStatus,
  type Work,
} from './context.ts'
import { toHostedSteps } from './hosted-tools.ts'
import { idOf, modelFault } from './models.ts'

/** Seconds of an interaction in the background. */
const WORKING_S = 20

export const interactions = {
  'POST /interactions': (context: Context) => {
    const { body, records, now, id, stream } = context
    const { model, agent, background, store, previous_interaction_id: previous } = body
    const fault = agent === undefined ? modelFault(context, idOf(model), 'generateContent') : agentFault(body)
    if (fault !== undefined) refuseWith(context, fault)
    if (background === true && store === false)
      refuseWith(context, invalid('Interactions in the background must be stored.'))
    const before = previous === undefined ? undefined : find(context, String(previous))
    const input = toSteps(body.input)
    if (input.length === 0) refuseWith(context, invalid('input: is required.'))
    const time = now.toISOString()
    const base = {
      object: 'interaction',
      ...(agent === undefined ? { model: idOf(model) } : { agent }),
      status: 'in_progress',
      created: time,
      updated: time,
      role: 'model',
      ...(previous !== undefined && { previous_interaction_id: previous }),
      steps: [],
      kept_before: before === undefined ? [] : [before.kept_before, before.kept_input, before.steps].flatMap(listOf),
      kept_input: input,
      kept_request: body,
    }
    const pairing = pairFault([...listOf(base.kept_before), ...input])
    if (pairing !== undefined) refuseWith(context, pairing)
    if (background === true && body.stream !== true) {
      context.notePrompt(toTalk(base))
      return withoutKept(records.interactions.create({ ...base, advances_at: after(now, WORKING_S) }))
    }
    const reply = context.reply(toTalk(base))
    if (reply.error !== undefined) refuseWith(context, { ...reply.error, rpc: reply.error.type ?? reply.error.code })
    const answered = { ...base, ...answerOf(context, reply, body, input) }
    const made = store === false ? { id: `v1_${id()}`, ...answered } : records.interactions.create(answered)
    if (body.stream !== true) return withoutKept(made)
    const options = streamOptions(reply, (error) => {
      const { status: code, message } = toStatus({ status: 503, message: 'The model is overloaded.' })
      return {
        event: 'error',
        data: { event_type: 'error', error: { code: String(code).toLowerCase(), message, ...error } },
      }
    })
    return stream(toEvents(withoutKept(made)), { media: 'sse', ...options })
  },
  'GET /interactions/{id}': (context: Context) => {
    const kept = find(context, String(context.path.id))
    const { stream, last_event_id: last, include_input } = context.query
    if (stream !== true) {
      const steps = include_input === true ? { steps: [...listOf(kept.kept_input), ...listOf(kept.steps)] } : {}
      return { ...withoutKept(kept), ...steps }
    }
    const events = [...toEvents(withoutKept(kept))]
    const from = last === undefined ? 0 : events.findIndex(({ id }) => id === last) + 1
    return context.stream(events.slice(from), { media: 'sse' })
  },
  'DELETE /interactions/{id}': removing('interactions', (context) => find(context, String(context.path.id))),
  'POST /interactions/{id}/cancel': (context: Context) => {
    const { id, status } = find(context, String(context.path.id))
    if (status !== 'in_progress') refuseWith(context, invalid('Only interactions in progress can be cancelled.'))
    const change = { status: 'cancelled', updated: context.now.toISOString(), advances_at: null }
    return withoutKept(context.records.interactions.update(id, change))
  },
  /** An interaction in the background is answered. */
  advanceInteraction: (context: Due) => {
    const reply = context.reply(toTalk(context.record))
    const { error } = reply
    const request = fieldsOf(context.record.kept_request)
    if (error === undefined)
      return context.update({
        ...answerOf(context, reply, request, listOf(context.record.kept_input)),
        advances_at: null,
      })
    const { status, message } = toStatus({ ...error, rpc: error.type ?? error.code })
    const errors = [{ code: String(status).toLowerCase(), message }]
    return context.update({ status: 'failed', updated: context.now.toISOString(), errors, advances_at: null })
  },
}

/** Agents do their research in the background. */
function agentFault({ agent, model, background }: Fields): Fault | undefined {
  if (model !== undefined) return invalid('Only one of `model` and `agent` can be set.')
  if (!/^deep-research-./.test(String(agent)))
    return { status: 404, message: `Agent ${agent} was not found: of agents, only deep-research ones are simulated.` }
  return background === true ? undefined : invalid('Agents need `background: true`.')
}

const find = (context: Context, id: string): Kept =>
  context.records.interactions.get(id) ??
  refuseWith(context, { status: 404, message: `Interaction ${id} was not found.` })

/** The steps of an input: a text, contents, or steps. */
function toSteps(input: unknown): Fields[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }]
  const items = [input ?? []].flat().map(fieldsOf)
  const isContent = ({ type }: Fields): boolean => CONTENTS.includes(String(type))
  const contents = items.filter(isContent)
  const step = contents.length > 0 ? [{ type: 'user_input', content: contents }] : []
  return [...items.filter((item) => !isContent(item)).flatMap(withoutResults), ...step]
}

/** A step; one of a user's that has results of functions among its contents is several. */
function withoutResults(step: Fields): Fields[] {
  const contents = step.type === 'user_input' ? listOf(step.content) : []
  const results = contents.filter(({ type }) => type === 'function_result')
  if (results.length === 0) return [step]
  const content = contents.filter(({ type }) => type !== 'function_result')
  return [...results, ...(content.length > 0 ? [{ ...step, content }] : [])]
}

const CONTENTS = ['text', 'image', 'audio', 'document', 'video']

/** Calls of functions and their results come in pairs. */
function pairFault(steps: readonly Fields[]): Fault | undefined {
  const idsOf = (wanted: string, field: string) => steps.flatMap((step) => (step.type === wanted ? step[field] : []))
  const [called, answered] = [idsOf('function_call', 'id'), idsOf('function_result', 'call_id')]
  const stray = answered.find((id) => !called.includes(id))
  if (stray !== undefined) return invalid(`No function call was found for the result of ${stray}.`)
  const open = called.find((id) => !answered.includes(id))
  return open === undefined ? undefined : invalid(`The function call ${open} has no result.`)
}

function toTalk({ model, agent, kept_request, kept_before, kept_input }: Fields): Talk {
  const request = fieldsOf(kept_request)
  const config = request.generation_config
  const { allowed_tools } = fieldsOf(read(config, 'toolChoice'))
  const { mode = read(config, 'toolChoice'), tools: allowed } = fieldsOf(allowed_tools)
  const functions = listOf(request.tools).filter(
    ({ type, name }) => type === 'function' && (!Array.isArray(allowed) || allowed.includes(name ?? '')),
  )
  const format = [request.response_format ?? []]
    .flat()
    .map(fieldsOf)
    .find(({ type }) => type !== 'image' && type !== 'audio')
  const isWrapped = format?.type === 'text' || format?.mime_type !== undefined
  const schema = isWrapped ? format?.schema : format
  const system = request.system_instruction
  return {
    model: String(model ?? agent),
    messages: [
      ...(typeof system === 'string' ? [{ role: 'system' as const, text: system }] : []),
      ...toMessages([...listOf(kept_before), ...listOf(kept_input)]),
    ],
    tools: functions.map(({ name, parameters }) => ({ name: String(name), schema: parameters ?? { type: 'object' } })),
    choice: mode === 'any' ? 'required' : mode === 'none' ? 'none' : 'auto',
    ...(schema !== undefined && { schema: { schema } }),
    json: (format?.mime_type ?? request.response_mime_type) === 'application/json',
    limit: numberOf(read(config, 'maxOutputTokens')),
    stop: [read(config, 'stopSequences') ?? []].flat().map(String),
    operation: 'POST /interactions',
    body: request,
  }
}

const textOf = (content: unknown, between: string): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .flatMap(({ text }) => (typeof text === 'string' ? text : []))
        .join(between)

const toMessages = (steps: readonly Fields[]): TalkMessage[] =>
  joinAnswers(
    steps.map(({ type, content, result, name, arguments: given = {} }) => {
      if (type === 'user_input') return { role: 'user', text: textOf(content, '\n') }
      if (type === 'function_result')
        return {
          role: 'tool',
          text: typeof result === 'string' || Array.isArray(result) ? textOf(result, '\n') : JSON.stringify(result),
        }
      const calls = type === 'function_call' ? [{ name: String(name), arguments: JSON.stringify(given) }] : []
      return { role: 'assistant', text: textOf(content, ''), calls }
    }),
  )

/** The fields of an interaction that the model decides. */
function answerOf(work: Work, reply: ModelReply, request: Fields, input: readonly Fields[]): Fields {
  const { id, now } = work
  const { text, reasoning, refusal, finish, usage } = reply
  const last = input.at(-1) ?? {}
  const question = last.type === 'user_input' ? textOf(last.content, '\n') : undefined
  const { steps: hosted, annotations, left: calls } = toHostedSteps(work, listOf(request.tools), reply, question)
  const shownText = refusal ?? text
  const steps: Fields[] = []
  if (reasoning !== undefined)
    steps.push({ type: 'thought', summary: [{ type: 'text', text: reasoning }], signature: signature(id) })
  steps.push(...hosted)
  const formats = [request.response_format ?? []].flat().map((format) => fieldsOf(format).type)
  const { media, isText } = kindsOf([request.response_modalities ?? formats].flat(), shownText)
  const content: Fields[] =
    isText && (shownText !== '' || calls.length === 0)
      ? [{ type: 'text', text: shownText, ...(annotations.length > 0 && { annotations }) }]
      : []
  content.push(...media.map(({ kind, mimeType, data }) => ({ type: kind, mime_type: mimeType, data })))
  if (content.length > 0) steps.push({ type: 'model_output', content })
  for (const call of calls)
    steps.push({
      type: 'function_call',
      id: call.id ?? id('call_'),
      name: call.name,
      arguments: argumentsOf(call.arguments),
    })
  const of = (tokens: number): Fields[] => [{ modality: 'text', tokens }]
  const answer = {
    status: finish === 'length' ? 'incomplete' : calls.length > 0 ? 'requires_action' : 'completed',
    updated: now.toISOString(),
    steps,
    usage: {
      total_tokens: usage.input + usage.output,
      total_input_tokens: usage.input,
      input_tokens_by_modality: of(usage.input),
      total_cached_tokens: usage.cached,
      total_output_tokens: usage.output - usage.reasoning,
      output_tokens_by_modality: of(usage.output - usage.reasoning),
      total_tool_use_tokens: 0,
      total_thought_tokens: usage.reasoning,
    },
  }
  return merged(answer, reply.set)
}

/** The events of an interaction, from its end form: each step begins, is filled, and stops. */
function* toEvents(interaction: Fields): Generator<StreamEvent> {
  let place = 0
  const event = (event_type: string, fields: object, token = false): StreamEvent => {
    const event_id = `${interaction.id}_${place++}`
    return { event: event_type, id: event_id, token, data: { event_type, event_id, ...fields } }
  }
  const { steps, usage: _, ...rest } = interaction
  const { id: interaction_id, status } = interaction
  yield event('interaction.created', { interaction: { ...rest, status: 'in_progress' } })
  yield event('interaction.status_update', { interaction_id, status: 'in_progress' })
  for (const [index, step] of listOf(steps).entries()) {
    const { summary: _s, content: _c, signature: _g, result: _r, ...bare } = step
    yield event('step.start', { index, step: { ...bare, ...('arguments' in step && { arguments: {} }) } })
    for (const delta of deltasOf(step)) yield event('step.delta', { index, delta }, true)
    yield event('step.stop', { index })
  }
  if (status !== 'in_progress') yield event('interaction.completed', { interaction })
  yield { event: 'done', data: '[DONE]' }
}

function deltasOf({ type, summary, content, signature: signed, arguments: given, result }: Fields): object[] {
  const piecesOf = (list: unknown): string[] => listOf(list).flatMap(({ text }) => toPieces(String(text)))
  if (type === 'function_call')
    return toPieces(JSON.stringify(given)).map((piece) => ({ type: 'arguments_delta', arguments: piece }))
  if (type === 'model_output')
    return listOf(content).flatMap((one) => {
      if (one.type !== 'text') return [one]
      const { annotations } = one
      const cited = annotations === undefined ? [] : [{ type: 'text_annotation_delta', annotations }]
      return [...piecesOf([one]).map((text) => ({ type: 'text', text })), ...cited]
    })
  if (type !== 'thought') return [{ type, ...(result === undefined ? { arguments: given } : { result }) }]
  return [
    ...piecesOf(summary).map((text) => ({ type: 'thought_summary', content: { type: 'text', text } })),
    { type: 'thought_signature', signature: signed },
  ]
}
