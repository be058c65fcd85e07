import type { OperationContext, Talk } from '../../src/handlers.ts'
import { isMadeUp } from '../shared/made-up.ts'
import { type Fields, fieldsOf, type Json } from '../shared/values.ts'
import { isRouted, ROUTED, toRoutedModel } from './openrouter.ts'

/** Families of models: names change monthly, so that every name of a family is accepted, with a version or a known word. */
const FAMILIES =
  /^(?:ft:)?(?:gpt(?=-(?:.*\d|audio|daybreak|realtime|rosalind|transcribe))|chatgpt|o\d|codex|computer-use|davinci|babbage|text-embedding|text-moderation|omni-moderation|tts|whisper|dall-e|sora)(?:[-.\d]|$)/

/** Named by the list. */
const LISTED =
  'gpt-6.1-sol gpt-6-sol gpt-5.5 gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.2 gpt-5.1 gpt-5 gpt-5-mini gpt-5-nano gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-mini gpt-4-turbo gpt-4 gpt-3.5-turbo o4-mini o3 o3-mini o1 text-embedding-3-large text-embedding-3-small text-embedding-ada-002 omni-moderation-latest gpt-image-2 gpt-image-1 dall-e-3 gpt-4o-mini-tts tts-1 gpt-4o-transcribe gpt-4o-mini-transcribe whisper-1'.split(
    ' ',
  )

const toModel = (id: string) => ({
  ...{ id, object: 'model', created: 1_735_689_600 },
  owned_by: /^gpt-(?:4|3\.5-turbo)$/.test(id) ? 'openai' : 'system',
})

export const isModel = (name: unknown): name is string =>
  typeof name === 'string' && FAMILIES.test(name) && !isMadeUp(name)

/** Models that continue texts, and cannot chat. */
export const CONTINUING = /instruct|davinci|babbage/

/** What models of other kinds cannot do, and which can. */
const DEEDS = {
  'sample from': /^(?!.*(?:embedding|moderation)|tts|whisper|dall-e|sora)/,
  'generate embeddings from': /embedding/,
}

/** Whether a request is Azure's: its models are deployments of any name. */
export const isAzure = ({ path, headers }: Pick<OperationContext, 'path' | 'headers'>): boolean =>
  path.deployment !== undefined || path.azure !== undefined || headers['api-key'] !== undefined

/**
 * The model of a request: Azure calls it by the deployment of the path, OpenRouter by vendor and name. Answers 404 for
 * a name of no family, 403 for a model of another kind.
 */
export function checkModel(
  { refuse, path, headers }: Pick<OperationContext, 'refuse' | 'path' | 'headers'>,
  given: unknown,
  deed?: keyof typeof DEEDS,
): string {
  const model = given === undefined || given === '' ? path.deployment : given
  if (model === undefined) refuse(400, { message: 'you must provide a model parameter', field: 'model' })
  if (isAzure({ path, headers }) && typeof model === 'string') return model
  if (deed !== undefined && isModel(model) && !DEEDS[deed].test(model))
    refuse(403, { code: 'wrong_model', message: `You are not allowed to ${deed} this model: ${model}.` })
  if (isModel(model)) return model
  if (path.openrouter !== undefined) {
    if (isRouted(model)) return model
    refuse(400, { message: `${model} is not a valid model ID` })
  }
  return refuse(404, {
    code: 'model_not_found',
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  })
}

/** The snapshots that names without a date stand for. */
const DATES: readonly (readonly [RegExp, string])[] = [
  [/^gpt-5(?:-mini|-nano)?$/, '2025-08-07'],
  [/^gpt-5\.1$/, '2025-11-13'],
  [/^gpt-5\.2$/, '2025-12-11'],
  [/^gpt-5\.4-(?:mini|nano)$/, '2026-03-17'],
  [/^gpt-5\.5$/, '2026-04-23'],
  [/^gpt-4\.1(?:-mini|-nano)?$/, '2025-04-14'],
  [/^gpt-4o$/, '2024-08-06'],
  [/^gpt-4o-mini$/, '2024-07-18'],
  [/^(?:o3|o4-mini)$/, '2025-04-16'],
  [/^o3-mini$/, '2025-01-31'],
  [/^o1$/, '2024-12-17'],
  [/^gpt-4-turbo$/, '2024-04-09'],
  [/^gpt-4$/, '0613'],
  [/^gpt-3\.5-turbo$/, '0125'],
]

/** The model that answers: `gpt-4o-2024-08-06` for `gpt-4o`. */
export const snapshotOf = (model: string): string =>
  [model, ...DATES.flatMap(([name, date]) => (name.test(model) ? [date] : []))].join('-')

/** How much a model reasons without a wish. */
const EFFORTS: readonly (readonly [RegExp, string])[] = [
  [/^gpt-5.*-pro/, 'high'],
  [/^gpt-5\.[124](?!.*codex)/, 'none'],
  [/^(?:o\d|gpt-[56](?!-chat))/, 'medium'],
]

export const effortOf = (model: string): string | null => EFFORTS.find(([pattern]) => pattern.test(model))?.[1] ?? null

/** Tokens of the thoughts that a request asks for in any way, where no script has them: OpenAI counts them by 64. */
export function thoughtsOf(model: string, { reasoning, include, reasoning_effort }: Fields): number {
  const { effort = reasoning_effort, summary } = fieldsOf(reasoning)
  const isAsked = effort != null || summary != null || [include].flat().includes('reasoning.encrypted_content')
  return isAsked && (effort ?? effortOf(model) ?? 'none') !== 'none' ? 64 : 0
}

/** Tokens that a family of models takes. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^o\d/, 200_000],
  [/^gpt-4(?:-\d{4})?$/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/./, 128_000],
]

/** Refuses a prompt that is longer than the model takes. @param field that has it */
export function checkLength(
  { refuse, tokens }: Pick<OperationContext, 'refuse' | 'tokens'>,
  talk: Talk,
  field: string,
): void {
  const [, most = 0] = WINDOWS.find(([pattern]) => pattern.test(talk.model)) ?? []
  const count = tokens(talk)
  if (count > most)
    refuse(400, {
      code: 'context_length_exceeded',
      field,
      message: `This model's maximum context length is ${most} tokens. However, your ${field} resulted in ${count} tokens. Please reduce the length of the ${field}.`,
    })
}

/** The tier that a request was served by. */
export const tierOf = ({ service_tier: tier }: Fields): Json =>
  ({ flex: 'flex', priority: 'priority', fast: 'priority', ultrafast: 'ultrafast' })[String(tier)] ?? 'default'

export const models = {
  'GET /models': ({ path }: OperationContext) =>
    path.openrouter === undefined ? { object: 'list', data: LISTED.map(toModel) } : { data: ROUTED.map(toRoutedModel) },
  'GET /models/{model}': ({ path, refuse }: OperationContext) =>
    isModel(path.model)
      ? toModel(path.model)
      : refuse(404, { code: 'unknown_model', message: `The model '${path.model}' does not exist` }),
  'DELETE /models/{model}': (context: OperationContext) => {
    const id = checkModel(context, context.path.model)
    if (!id.startsWith('ft:'))
      context.refuse(403, {
        code: 'wrong_model',
        message: `You have insufficient permissions to delete the model ${id}.`,
      })
    return { id, object: 'model', deleted: true }
  },
}
