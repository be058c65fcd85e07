import { isMadeUp } from '../shared/made-up.ts'
import { type Context, type Fault, refuseWith, toPage } from './context.ts'

/** Families of models: names change monthly, so that every name of a family is accepted, with a version or a known word. */
const FAMILIES =
  /^(?:(?:gemini|gemma|learnlm)-(?=.*\d|exp|flash|live|pro|robotics|ultra)|nano-banana|(?:text-)?embedding-)/
const EMBEDDING = /embedding/

export const LISTED = [
  ...['gemini-3.8-flash', 'gemini-3.5-flash', 'gemini-3.5-flash-lite', 'gemini-3.1-pro-preview'],
  ...['gemini-3-pro-preview', 'gemini-3-flash-preview', 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-lite'],
  ...['gemini-2.5-flash-image', 'gemini-2.5-flash-preview-tts', 'gemini-embedding-001', 'text-embedding-004'],
]

/** Most tokens that a model reads. */
export const LONGEST_PROMPT = 1_048_576

const methodsOf = (id: string): string[] =>
  EMBEDDING.test(id)
    ? ['embedContent', 'batchEmbedContents', 'asyncBatchEmbedContent', 'countTokens']
    : ['generateContent', 'streamGenerateContent', 'countTokens', 'createCachedContent', 'batchGenerateContent']

const toModel = (id: string) => ({
  name: `models/${id}`,
  version: '001',
  displayName: id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' '),
  inputTokenLimit: EMBEDDING.test(id) ? 2_048 : LONGEST_PROMPT,
  outputTokenLimit: EMBEDDING.test(id) ? 1 : /^gemini-(?:1|2\.0)/.test(id) ? 8_192 : 65_536,
  supportedGenerationMethods: methodsOf(id),
  ...(!EMBEDDING.test(id) && { temperature: 1, topP: 0.95, topK: 64, maxTemperature: 2, thinking: true }),
})

/** The name without `models/`. */
export const idOf = (model: unknown): string => String(model).replace(/^models\//, '')

/** Why a model is refused for a method; undefined for a good one. */
export function modelFault({ path }: Pick<Context, 'path'>, model: string, method?: string): Fault | undefined {
  const version = String(path.version ?? 'v1beta')
  const isVersion = /^v1(?:alpha|beta)?$/.test(version)
  if (
    isVersion &&
    FAMILIES.test(model) &&
    !isMadeUp(model) &&
    (method === undefined || methodsOf(model).includes(method))
  )
    return undefined
  // Google names the method for one text where a list is asked for.
  const use = method === undefined ? '' : `, or is not supported for ${method.replace(/^batchEmbed.*/, 'embedContent')}`
  const next = 'Call ModelService.ListModels to see the list of available models and their supported methods.'
  return { status: 404, message: `models/${model} is not found for API version ${version}${use}. ${next}` }
}

/** The model of the path. Answers 404 for a name of no family. */
export function checkModel(context: Context, method?: string): string {
  const model = String(context.path.model)
  const fault = modelFault(context, model, method)
  return fault === undefined ? model : refuseWith(context, fault)
}

export const models = {
  /** A token for the Live API, which a browser may have. */
  'POST /auth_tokens': ({ id }: Context) => ({ name: `auth_tokens/${id()}` }),
  'GET /models': (context: Context) => toPage(context, 'models', LISTED.map(toModel)),
  'GET /models/{model}': (context: Context) => toModel(checkModel(context)),
}
