import { type Fields, fieldsOf, listOf } from '../openai/context.ts'
import { hasBrokenPicture } from './attachments.ts'
import { contentsOf, type Fault, invalid, partsOf, read } from './context.ts'
import { callingOf, functionsOf, type Turn, turnsOf } from './talk.ts'

/** Bounds of numbers in the configuration of an answer. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  temperature: [0, 2],
  topP: [0, 1],
  topK: [1, Number.POSITIVE_INFINITY],
  candidateCount: [1, 8],
  maxOutputTokens: [1, Number.POSITIVE_INFINITY],
}

/** Why a request for content is refused; undefined for a good one. */
export function faultOf(model: string, body: Fields): Fault | undefined {
  const contents = contentsOf(body)
  const message =
    nameFault(body, NAMES, '') ??
    nameFault(fieldsOf(read(body, 'generationConfig')), CONFIG_NAMES, " at 'generation_config'") ??
    contentsFault(contents) ??
    (hasBrokenPicture(body) ? 'Unable to process input image. Please retry or report.' : undefined) ??
    configFault(read(body, 'generationConfig')) ??
    thinkingFault(model, read(body, 'generationConfig')) ??
    toolsFault(body, model) ??
    turnsFault(turnsOf(contents), model)
  return message === undefined ? undefined : invalid(message)
}

/** Fields of a request for content, and of its configuration. */
const NAMES =
  'model contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent serviceTier store labels continuationToken'.split(
    ' ',
  )
const CONFIG_NAMES =
  'stopSequences responseMimeType responseSchema responseJsonSchema responseFormat responseModalities candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig mediaResolution audioTimestamp audioTranscriptionConfig enableAffectiveDialog translationConfig modelSelectionConfig routingConfig _responseJsonSchema'.split(
    ' ',
  )

/** A field that Google does not know, which its API refuses. */
function nameFault(fields: Fields, known: readonly string[], place: string): string | undefined {
  const toCamel = (name: string): string => name.replace(/(?<=[a-z])_(.)/g, (_, letter) => letter.toUpperCase())
  const unknown = Object.keys(fields).find((name) => !known.includes(toCamel(name)))
  return unknown && `Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`
}

const field = (path: string, problem: string): string => `* GenerateContentRequest.${path}: ${problem}`

export function contentsFault(contents: readonly Fields[]): string | undefined {
  if (contents.length === 0) return field('contents', 'contents is not specified\n')
  for (const [at, content] of contents.entries()) {
    if (content.role !== undefined && !['user', 'model', 'function'].includes(String(content.role)))
      return 'Please use a valid role: user, model.'
    if (partsOf(content).length === 0) return field(`contents[${at}].parts`, 'contents.parts must not be empty.\n')
    const empty = partsOf(content).findIndex((part) => Object.keys(part).length === 0)
    if (empty !== -1)
      return field(
        `contents[${at}].parts[${empty}].data`,
        "required oneof field 'data' must have one initialized field\n",
      )
  }
  return undefined
}

function configFault(config: unknown): string | undefined {
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    const value = read(config, name)
    if (value !== undefined && !(Number(value) >= least && Number(value) <= most))
      return field(`generation_config.${name}`, `${name} must be in the range [${least}, ${most}]\n`)
  }
  const schema = read(config, 'responseSchema') ?? read(config, 'responseJsonSchema')
  const media = read(config, 'responseMimeType')
  if (schema !== undefined && media !== 'application/json' && media !== 'text/x.enum')
    return field('generation_config.response_schema', "only allowed with response_mime_type 'application/json'\n")
  return undefined
}

/** A model that always thinks has no budget of nothing, and one budget of thoughts is enough. */
function thinkingFault(model: string, config: unknown): string | undefined {
  const thinking = read(config, 'thinkingConfig')
  const budget = read(thinking, 'thinkingBudget')
  if (budget !== undefined && read(thinking, 'thinkingLevel') !== undefined)
    return 'You can only set only one of thinking budget and thinking level.'
  if (budget === 0 && /^gemini-(?:2\.5-pro|3[\w.]*-pro)/.test(model))
    return 'Budget 0 is invalid. This model only works in thinking mode.'
  return undefined
}

const NAME = /^[A-Za-z_][\w.:-]{0,127}$/

function toolsFault(body: Fields, model: string): string | undefined {
  const names = functionsOf(body).map(({ name }) => String(name))
  const isJson = read(read(body, 'generationConfig'), 'responseMimeType') === 'application/json'
  if (isJson && listOf(body.tools).length > 0 && /^gemini-[12]\./.test(model)) {
    const use = names.length > 0 ? 'Function calling' : 'Tool use'
    return `${use} with a response mime type: 'application/json' is unsupported`
  }
  const wrong = names.findIndex((name) => !NAME.test(name))
  if (wrong !== -1)
    return field(
      `tools[0].function_declarations[${wrong}].name`,
      'Invalid function name. Must start with a letter or an underscore.\n',
    )
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) return `Duplicate function declaration found: ${repeated}`
  const { mode, allowed } = callingOf([body])
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED')
    return field(
      'tool_config.function_calling_config.allowed_function_names',
      'only allowed when the function calling mode is ANY\n',
    )
  const unknown = allowed.find((name) => names.length > 0 && !names.includes(name))
  return unknown === undefined ? undefined : `Allowed function name ${unknown} is not declared.`
}

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
