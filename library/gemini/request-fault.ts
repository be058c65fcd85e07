import { type Fields, fieldsOf, firstFault, type Json, listOf, toSnake } from '../shared/values.ts'
import { hasBrokenPicture } from './attachments.ts'
import { contentsOf, type Fault, invalid, partsOf, read } from './context.ts'
import { formFault } from './payload.ts'
import { callingOf, functionsOf, type Turn, turnsOf } from './talk.ts'

/** Bounds of numbers in the configuration of an answer. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  temperature: [0, 2],
  topP: [0, 1],
  topK: [1, Number.POSITIVE_INFINITY],
  candidateCount: [1, 8],
  maxOutputTokens: [1, Number.POSITIVE_INFINITY],
  presencePenalty: [-2, 2],
  frequencyPenalty: [-2, 2],
  logprobs: [0, 20],
}

/** Media types of answers. */
const MEDIA = ['text/plain', 'application/json', 'application/xml', 'application/yaml', 'text/x.enum']
/** Most texts that end an answer. */
const MOST_STOPS = 5
/** Media types that models do not read. */
const UNREAD = /^(?:application\/(?:zip|msword|octet-stream|vnd\..*)|image\/(?:bmp|svg\+xml|tiff))$/

/** What Google's schemas need. */
function schemaFault(given: Json | undefined, path: string): string | undefined {
  if (given === undefined) return undefined
  const { type, items, properties, required, enum: values } = fieldsOf(given)
  const kind = String(type).toUpperCase()
  const names = Object.keys(fieldsOf(properties))
  if (kind === 'OBJECT' && properties !== undefined && names.length === 0)
    return field(`${path}.properties`, 'should be non-empty for OBJECT type\n')
  if (kind === 'ARRAY' && items === undefined) return field(`${path}.items`, 'missing field.\n')
  if (values !== undefined && type !== undefined && kind !== 'STRING')
    return field(`${path}.enum`, 'only allowed for STRING type\n')
  const stray = [required ?? []].flat().findIndex((name) => !names.includes(String(name)))
  if (stray !== -1) return field(`${path}.required[${stray}]`, 'property is not defined\n')
  return (
    firstFault(Object.entries(fieldsOf(properties)), ([name, one]) =>
      schemaFault(one, `${path}.properties[${name}]`),
    ) ?? schemaFault(items, `${path}.items`)
  )
}

/** Why a request for content is refused; undefined for a good one. */
export function faultOf(model: string, body: Fields): Fault | undefined {
  const form = formFault(body, 'GenerateContentRequest')
  if (form !== undefined) return form
  const contents = contentsOf(body)
  const message =
    contentsFault(contents) ??
    schemaFault(read(read(body, 'generationConfig'), 'responseSchema'), 'generation_config.response_schema') ??
    firstFault(functionsOf(body), ({ parameters }, at) =>
      schemaFault(parameters, `tools[0].function_declarations[${at}].parameters`),
    ) ??
    (hasBrokenPicture(body) ? 'Unable to process input image. Please retry or report.' : undefined) ??
    configFault(read(body, 'generationConfig')) ??
    modalityFault(model, read(body, 'generationConfig')) ??
    thinkingFault(model, read(body, 'generationConfig')) ??
    toolsFault(body, model) ??
    turnsFault(turnsOf(contents), model)
  return message === undefined ? undefined : invalid(message)
}

const field = (path: string, problem: string): string => `* GenerateContentRequest.${path}: ${problem}`

export function contentsFault(contents: readonly Fields[]): string | undefined {
  if (contents.length === 0) return field('contents', 'contents is not specified\n')
  return firstFault(contents, (content, at) => {
    const [role = 'user', parts] = [content.role, partsOf(content)]
    const place = `contents[${at}].parts`
    if (!['user', 'model', 'function'].includes(String(role))) return 'Please use a valid role: user, model.'
    if (parts.length === 0) return field(place, 'contents.parts must not be empty.\n')
    const media = parts
      .map((part) => String(read(read(part, 'inlineData'), 'mimeType')))
      .find((type) => UNREAD.test(type))
    if (media !== undefined) return `Unsupported MIME type: ${media}`
    const empty = parts.findIndex((part) => Object.keys(part).length === 0)
    if (empty === -1) return undefined
    return field(`${place}[${empty}].data`, "required oneof field 'data' must have one initialized field\n")
  })
}

function configFault(config: unknown): string | undefined {
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    const value = read(config, name)
    if (value !== undefined && !(Number(value) >= least && Number(value) <= most))
      return field(
        `generation_config.${toSnake(name)}`,
        `${toSnake(name)} must be ${Number.isFinite(most) ? `in the range [${least}, ${most}]` : 'positive'}\n`,
      )
  }
  if ([read(config, 'stopSequences') ?? []].flat().length > MOST_STOPS)
    return field('generation_config.stop_sequences', `at most ${MOST_STOPS} stop sequences are allowed\n`)
  if (read(config, 'logprobs') !== undefined && read(config, 'responseLogprobs') !== true)
    return field('generation_config.logprobs', 'only allowed when response_logprobs is true\n')
  const schema = read(config, 'responseSchema') ?? read(config, 'responseJsonSchema')
  const media = read(config, 'responseMimeType')
  if (media !== undefined && !MEDIA.includes(String(media)))
    return field(
      'generation_config.response_mime_type',
      `allowed mimetypes are \`${MEDIA.slice(0, -1).join('`, `')}\` and \`${MEDIA.at(-1)}\`.\n`,
    )
  if (schema !== undefined && media !== 'application/json' && media !== 'text/x.enum')
    return field('generation_config.response_schema', "only allowed with response_mime_type 'application/json'\n")
  return undefined
}

/** Models that make other answers than texts. */
const MAKERS = { image: /-image\b|nano-banana|^gemini-2\.0-flash-exp/, audio: /tts|audio|live/ }

function modalityFault(model: string, config: unknown): string | undefined {
  const asked = [read(config, 'responseModalities') ?? []].flat().map((one) => String(one).toLowerCase())
  const [unmade] = Object.entries(MAKERS).find(([kind, makers]) => asked.includes(kind) && !makers.test(model)) ?? []
  return unmade && `Model does not support the requested response modalities: ${unmade}`
}

/** A model that always thinks has no budget of nothing, and one budget of thoughts is enough. */
function thinkingFault(model: string, config: unknown): string | undefined {
  const thinking = read(config, 'thinkingConfig')
  const budget = read(thinking, 'thinkingBudget')
  if (budget !== undefined && read(thinking, 'thinkingLevel') !== undefined)
    return 'You can only set only one of thinking budget and thinking level.'
  if (thinking !== undefined && /^gemini-(?:1|2\.0)/.test(model)) return `Thinking is not enabled for models/${model}`
  if (read(thinking, 'thinkingLevel') !== undefined && /^gemini-2\.5/.test(model))
    return 'Thinking level is not supported for this model.'
  const [, least = -1, most = 0] = BUDGETS.find(([pattern]) => pattern.test(model)) ?? []
  if (most > 0 && typeof budget === 'number' && ![0, -1].includes(budget) && (budget < least || budget > most))
    return `The thinking budget ${budget} is invalid. Please choose a value between ${least} and ${most}.`
  if (budget === 0 && /^gemini-(?:2\.5-pro|3[\w.]*-pro)/.test(model))
    return 'Budget 0 is invalid. This model only works in thinking mode.'
  return undefined
}

/** Budgets of thoughts. */
const BUDGETS: readonly (readonly [RegExp, number, number])[] = [
  [/^gemini-2\.5-pro/, 128, 32_768],
  [/^gemini-2\.5-flash-lite/, 512, 24_576],
  [/^gemini-2\.5-flash/, 0, 24_576],
]

const NAME = /^[A-Za-z_][\w.:-]{0,127}$/

function toolsFault(body: Fields, model: string): string | undefined {
  const names = functionsOf(body).map(({ name = '' }) => String(name))
  const isJson = read(read(body, 'generationConfig'), 'responseMimeType') === 'application/json'
  if (isJson && listOf(body.tools).length > 0 && /^gemini-[12]\./.test(model)) {
    const use = names.length > 0 ? 'Function calling' : 'Tool use'
    return `${use} with a response mime type: 'application/json' is unsupported`
  }
  const wrong = names.findIndex((name) => !NAME.test(name))
  if (wrong !== -1)
    return field(
      `tools[0].function_declarations[${wrong}].name`,
      'Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:) or dashes (-), with a maximum length of 128.\n',
    )
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) return `Duplicate function declaration found: ${repeated}`
  const { mode, allowed } = callingOf([body])
  const tools = listOf(body.tools)
  if (mode === 'ANY' && names.length === 0) return 'Function calling config is set without function_declarations.'
  if (/^gemini-[12]\./.test(model) && names.length > 0 && tools.some((tool) => HOSTED.some((name) => read(tool, name))))
    return 'Tool use with function calling is unsupported'
  if (tools.some((tool) => read(tool, 'googleSearchRetrieval')) && !/^gemini-1\./.test(model))
    return 'google_search_retrieval is not supported. Please use google_search tool instead.'
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED')
    return field(
      'tool_config.function_calling_config.allowed_function_names',
      'only allowed when the function calling mode is ANY\n',
    )
  const unknown = allowed.find((name) => names.length > 0 && !names.includes(name))
  return unknown === undefined
    ? undefined
    : 'allowed_function_names should be a subset of the provided function_declarations'
}

/** Tools that Google runs. */
const HOSTED = ['googleSearch', 'codeExecution', 'urlContext', 'googleMaps', 'fileSearch']

/** Calls of functions have their results in the next turn, and results their calls in the one before. */
function turnsFault(turns: readonly Turn[], model: string): string | undefined {
  const countOf = (turn: Turn | undefined, name: string): number =>
    turn?.parts.filter((part) => read(part, name) !== undefined).length ?? 0
  for (const [at, turn] of turns.entries()) {
    const answered = countOf(turn, 'functionResponse')
    const called = countOf(turns[at - 1], 'functionCall')
    if (answered > 0 && called === 0)
      return 'Please ensure that function response turn comes immediately after a function call turn.'
    if (answered !== called)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
  }
  return /^gemini-(?:[3-9]|\d\d)/.test(model) ? signatureFault(turns) : undefined
}

/** The calls since the user's last text keep their signatures. */
function signatureFault(turns: readonly Turn[]): string | undefined {
  const asked = turns.findLastIndex(({ role, parts }) => role === 'user' && parts.some(({ text }) => text))
  for (const { role, parts } of turns.slice(asked + 1)) {
    const call = role === 'model' ? parts.find((part) => read(part, 'functionCall')) : undefined
    if (call !== undefined && !read(call, 'thoughtSignature'))
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Function call \`${fieldsOf(read(call, 'functionCall')).name}\` is missing it.`
  }
  return undefined
}
