import type { OperationContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, firstFault, type Json, listOf } from '../shared/values.ts'
import { faultOfAttachments } from './attachments.ts'
import { textOf } from './chat-talk.ts'
import type { Work } from './context.ts'
import {
  emptyArray,
  type Fault,
  inQuotes,
  invalidValue,
  mismatched,
  missingField,
  tooLong,
  unknownParameter,
  unsupported,
  unsupportedValue,
  wrongType,
} from './faults.ts'
import { soundOf } from './media.ts'
import { isAzure } from './models.ts'
import { faultOfInput, faultOfParts } from './parts-fault.ts'
import { textOfItem } from './response-items.ts'

/** Fields that have one of a few values. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  service_tier: ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'],
  reasoning_effort: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  verbosity: ['low', 'medium', 'high'],
  truncation: ['auto', 'disabled'],
  'reasoning.effort': ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  'reasoning.summary': ['auto', 'concise', 'detailed'],
  'response_format.type': ['json_object', 'json_schema', 'text'],
  'text.format.type': ['json_object', 'json_schema', 'text'],
  'text.verbosity': ['low', 'medium', 'high'],
}

function choiceFault(body: Fields): Fault | undefined {
  for (const [field, known] of Object.entries(CHOICES)) {
    const value = field.split('.').reduce<Json>((of, name) => fieldsOf(of)[name] ?? null, body)
    if (value !== null && !known.includes(String(value))) return invalidValue(field, value, known)
  }
  const { tool_choice: choice } = body
  return typeof choice === 'string' && !['none', 'auto', 'required'].includes(choice)
    ? invalidValue('tool_choice', choice, ['none', 'auto', 'required'])
    : undefined
}

/** Efforts of models that do not take all of them. */
const EFFORTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5(?:-mini|-nano)?(?:-\d{4}.*)?$/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.\d+-chat/, ['medium']],
  [/^gpt-5\.1(?!-codex-max)/, ['none', 'low', 'medium', 'high']],
]

function effortFault(model: string, effort: Json | undefined, field: string): Fault | undefined {
  const [, known] = EFFORTS.find(([pattern]) => pattern.test(model)) ?? []
  if (effort == null || known === undefined || known.includes(String(effort))) return undefined
  const values = `Supported values are: ${inQuotes(known)}.`
  return unsupportedValue(field, `is not supported with the '${model}' model. ${values}`, String(effort))
}

const onlyWithTools = (field: string): Fault => ({
  field,
  message: `Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`,
})

/** What a response may include. */
const INCLUDABLE =
  'file_search_call.results web_search_call.results web_search_call.action.sources message.input_image.image_url computer_call_output.output.image_url code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs'.split(
    ' ',
  )

/** The tools of a response, with the fields that they need. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  apply_patch: [],
  code_interpreter: ['container'],
  computer: [],
  computer_use_preview: ['display_width', 'display_height', 'environment'],
  custom: ['name'],
  file_search: ['vector_store_ids'],
  function: ['name'],
  image_generation: [],
  local_shell: [],
  mcp: ['server_label'],
  namespace: ['name'],
  programmatic_tool_calling: [],
  shell: [],
  tool_search: [],
  web_search: [],
  web_search_2025_08_26: [],
  web_search_preview: [],
  web_search_preview_2025_03_11: [],
}

function faultOfType(tool: Fields, at: number): Fault | undefined {
  const needed = TOOLS[String(tool.type)]
  if (needed === undefined) return invalidValue(`tools[${at}].type`, tool.type, Object.keys(TOOLS))
  const lacking = needed.find((field) => tool[field] === undefined)
  return lacking === undefined ? undefined : missingField(`tools[${at}].${lacking}`)
}

/** Models that reason. */
const REASONING = /^(?:o\d|gpt-[56](?!-chat))/

/** Models that refuse an effort. */
const THOUGHTLESS = /^(?:ft:)?(?:chatgpt|gpt-(?:[34]|5-chat))/

/** Models before structured outputs. */
const WITHOUT_SCHEMAS = /^(?:gpt-3\.5|gpt-4(?:$|-turbo|-vision|-32k|-\d{4})|gpt-4o-2024-05-13|o1-(?:mini|preview))/

/** Those of them that have no other temperature than 1, whatever their effort. */
const FIXED = /^(?:o\d|gpt-5(?!-chat|\.))/

/** The sampling option that a model does not take. */
const fixedOption = (body: Fields): string | undefined =>
  FIXED.test(String(body.model)) ? ['temperature', 'top_p'].find((name) => (body[name] ?? 1) !== 1) : undefined

/** Parameters of a chat and of a response, of the SDK's types. */
const CHAT =
  'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
const RESPONSE =
  'access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user'

/** Why a parameter is refused that OpenAI does not know: Azure and OpenRouter have more of them. */
export function faultOfParameters(
  { body, path, headers }: Pick<OperationContext, 'body' | 'path' | 'headers'>,
  kind: 'chat' | 'response',
): Partial<Fault> | undefined {
  if (path.openrouter !== undefined || isAzure({ path, headers })) return undefined
  const known = (kind === 'chat' ? CHAT : RESPONSE).split(' ')
  const field = Object.keys(body).find((name) => !known.includes(name))
  if (field === undefined) return undefined
  const now = MOVED[field]
  if (kind === 'chat' || now === undefined) return unknownParameter(field)
  const next =
    'Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.'
  const message = `Unsupported parameter: '${field}'. In the Responses API, this parameter has moved to '${now}'. ${next}`
  return { code: 'unsupported_parameter', field, message }
}

/** Parameters of a chat, and where a response has them. */
const MOVED: Readonly<Record<string, string>> = {
  max_completion_tokens: 'max_output_tokens',
  max_tokens: 'max_output_tokens',
  messages: 'input',
  reasoning_effort: 'reasoning.effort',
  response_format: 'text.format',
  verbosity: 'text.verbosity',
}

/** Bounds of decimals. */
const BOUNDS = { temperature: [0, 2], top_p: [0, 1], frequency_penalty: [-2, 2], presence_penalty: [-2, 2] } as const

function decimalFault(body: Fields): Fault | undefined {
  for (const [field, [least, most]] of Object.entries(BOUNDS)) {
    const value = body[field]
    if (typeof value !== 'number' || (value >= least && value <= most)) continue
    const [code, problem] =
      value > most
        ? ['decimal_above_max_value', `decimal above maximum value. Expected a value <= ${most}`]
        : ['decimal_below_min_value', `decimal below minimum value. Expected a value >= ${least}`]
    return { code, field, message: `Invalid '${field}': ${problem}, but got ${value} instead.` }
  }
  return undefined
}

/** Parameters of a chat that models that reason do not take, besides what those take that think by nature. */
const OF_SAMPLING = ['stop', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs']

/** Most tokens that a model answers. */
const LONGEST: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4(?:o|\.5)/, 16_384],
  [/^gpt-4\.1/, 32_768],
  [/^gpt-4(?!-turbo|-\d{4}-|-vision)/, 8_192],
  [/^gpt-(?:3\.5|4)/, 4_096],
  [/^o\d/, 100_000],
  [/^gpt-5/, 128_000],
]

/** Why the parameters of a chat are refused together, or with its model. */
function faultOfOptions(body: Fields): Fault | undefined {
  const model = String(body.model)
  const { max_tokens, max_completion_tokens: limit, reasoning_effort: effort } = body
  for (const [field, other] of [
    ['top_logprobs', 'logprobs'],
    ['stream_options', 'stream'],
    ['metadata', 'store'],
  ] as const)
    if ((body[field] ?? null) !== null && body[other] !== true)
      return { field, message: `The '${field}' parameter is only allowed when '${other}' is enabled.` }
  const foreign = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'n'].find(
    (name) => body[name] != null,
  )
  if (foreign !== undefined && /-search-preview/.test(model))
    return { message: `Model incompatible request argument supplied: ${foreign}` }
  if (max_tokens != null && limit != null)
    return {
      code: 'invalid_parameter_combination',
      field: 'max_tokens',
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    }
  if (max_tokens != null && REASONING.test(model))
    return unsupported('max_tokens', " Use 'max_completion_tokens' instead.")
  const [, longest = Number.POSITIVE_INFINITY] = LONGEST.find(([pattern]) => pattern.test(model)) ?? []
  const [field, asked] = max_tokens == null ? ['max_completion_tokens', limit] : ['max_tokens', max_tokens]
  if (Number(asked ?? 0) > longest)
    return {
      code: 'invalid_value',
      field,
      message: `${field} is too large: ${asked}. This model supports at most ${longest} completion tokens, whereas you provided ${asked}.`,
    }
  if (body.seed != null && !Number.isInteger(body.seed)) return wrongType('seed', body.seed, 'an integer')
  const sampled = OF_SAMPLING.find((name) => (body[name] || null) !== null)
  if (sampled !== undefined && FIXED.test(model)) return unsupported(sampled)
  if (body.parallel_tool_calls != null && /^o\d/.test(model)) return unsupported('parallel_tool_calls')
  if (body.parallel_tool_calls != null && listOf(body.tools).length === 0) return onlyWithTools('parallel_tool_calls')
  if (effort != null && THOUGHTLESS.test(model))
    return { message: 'Unrecognized request argument supplied: reasoning_effort' }
  return effortFault(model, effort, 'reasoning_effort')
}

/** Why a chat is refused. */
export function faultOfChat(work: Pick<Work, 'records' | 'tokens'>, body: Fields): Fault | undefined {
  const messages = listOf(body.messages)
  if (Array.isArray(body.messages) && messages.length === 0) return emptyArray('messages')
  const unpaired = faultOfParts(messages) ?? mediaFault(body, messages) ?? faultOfMessages(messages)
  if (unpaired !== undefined) return unpaired
  const broken = firstFault(messages, ({ content }) => faultOfAttachments(work, content))
  if (broken !== undefined) return { field: 'messages', ...broken }
  const options = choiceFault(body) ?? decimalFault(body) ?? faultOfOptions(body)
  if (options !== undefined) return options
  const fixed = fixedOption(body)
  const only = 'Only the default (1) value is supported.'
  if (fixed !== undefined) return unsupportedValue(fixed, `does not support ${body[fixed]} with this model. ${only}`)
  const unsound = isSound(body) ? soundFault(body) : undefined
  if (unsound !== undefined) return unsound
  const { type, json_schema = {} } = fieldsOf(body.response_format)
  if (type === 'json_schema' && WITHOUT_SCHEMAS.test(String(body.model)))
    return {
      field: 'response_format',
      message:
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs",
    }
  const texts = messages.map(({ content }) => textOf(content))
  if (body.tool_choice === 'auto' && listOf(body.tools).length === 0) return onlyWithTools('tool_choice')
  return (
    faultOfFormat('response_format', { type: type ?? null, texts, schema: fieldsOf(json_schema) }) ??
    faultOfTools(body, 'functions' in body ? body.functions : body.tools, 'function')
  )
}

/** Whether a chat answers with a sound. */
export const isSound = ({ modalities }: Fields): boolean => [modalities].flat().includes('audio')

/** Who may send pictures, and which models sounds. Models of other vendors, which OpenRouter has, see more. */
function mediaFault(body: Fields, messages: readonly Fields[]): Fault | undefined {
  const model = String(body.model)
  const has = ({ content }: Fields, type: string) => listOf(content).some((part) => part.type === type)
  const fault = firstFault(messages, (message, at) => {
    const only = `Image URLs are only allowed for messages with role 'user', but this message with role '${message.role}' contains an image URL.`
    if (message.role !== 'user' && !model.includes('/') && has(message, 'image_url'))
      return [`messages[${at}]`, only] as const
    const isDeaf = /^(?:gpt-[3-6]|o\d|chatgpt)(?!.*audio)/.test(model) && has(message, 'input_audio')
    return isDeaf
      ? ([`messages[${at}]`, 'Content blocks are expected to be either text or image_url type.'] as const)
      : undefined
  })
  if (fault !== undefined)
    return { code: 'invalid_value', field: fault[0], message: `Invalid '${fault[0]}'. ${fault[1]}` }
  const isSilent = !isSound(body) && !messages.some((message) => has(message, 'input_audio') || message.audio != null)
  const message = 'This model requires that either input content or output modality contain audio.'
  return /^gpt-(?:4o-(?:mini-)?)?audio/.test(model) && isSilent
    ? { code: 'invalid_value', field: 'model', message }
    : undefined
}

function soundFault({ model, audio, stream }: Fields): Fault | undefined {
  if (!/audio/.test(String(model)))
    return unsupportedValue('modalities', `does not support 'audio' with the model '${model}'.`)
  const { format, voice } = fieldsOf(audio)
  const [lacking] =
    Object.entries({ audio, 'audio.voice': voice, 'audio.format': format }).find(([, value]) => value == null) ?? []
  if (lacking !== undefined) return missingField(lacking)
  const field = 'audio.format'
  if (stream === true && format !== 'pcm16')
    return unsupportedValue(field, `does not support '${format}' when stream=true. Supported values are: 'pcm16'.`)
  return soundOf(format) === undefined
    ? invalidValue(field, format, ['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16'])
    : undefined
}

const NO_INPUT: Fault = {
  code: 'missing_required_parameter',
  message: `One of "input" or "previous_response_id" or 'prompt' or 'conversation' must be provided.`,
}

/** Why a response is refused. @param items the input, after the items of earlier responses */
export function faultOfResponse(
  work: Pick<Work, 'records' | 'tokens'>,
  body: Fields,
  items: readonly Fields[],
): Fault | undefined {
  if (body.model === undefined && body.prompt == null) return missingField('model')
  if (['input', 'previous_response_id', 'prompt', 'conversation'].every((name) => String(body[name] ?? '') === ''))
    return body.input === undefined ? missingField('input') : NO_INPUT
  const shape = choiceFault(body) ?? faultOfInput(listOf(body.input))
  if (shape !== undefined) return shape
  const message = faultOfItems(items)
  if (message !== undefined) return { field: 'input', message }
  const broken = firstFault(items, ({ content, output }) => faultOfAttachments(work, content ?? [output ?? []].flat()))
  if (broken !== undefined) return { field: 'input', ...broken }
  if (body.background === true && body.store === false)
    return { field: 'store', message: "Responses in the background are stored: 'store' must not be false." }
  const decimal = decimalFault(body)
  if (decimal !== undefined) return decimal
  const fixed = fixedOption(body)
  if (fixed !== undefined)
    return { field: fixed, message: `Unsupported parameter: '${fixed}' is not supported with this model.` }
  const include = [body.include ?? []].flat()
  const unknown = include.findIndex((one) => !INCLUDABLE.includes(String(one)))
  if (unknown !== -1) return invalidValue(`include[${unknown}]`, include[unknown], INCLUDABLE)
  if (fieldsOf(body.reasoning).effort != null && THOUGHTLESS.test(String(body.model)))
    return unsupported('reasoning.effort')
  const effort = effortFault(String(body.model), fieldsOf(body.reasoning).effort, 'reasoning.effort')
  if (effort !== undefined) return effort
  if (include.includes('reasoning.encrypted_content') && /^gpt-[34]/.test(String(body.model)))
    return { field: 'include', message: 'Encrypted content is not supported with this model.' }
  const { type = null, ...schema } = fieldsOf(fieldsOf(body.text).format)
  // Instructions do not count.
  const texts = items.map(textOfItem)
  return (
    faultOfFormat('text.format', { type, texts, schema }) ??
    firstFault(listOf(body.tools), faultOfType) ??
    faultOfTools(body, body.tools)
  )
}

/** Why the format of an answer is refused. */
function faultOfFormat(
  field: string,
  { type, texts, schema }: { type: Json; texts: readonly string[]; schema: Fields },
): Fault | undefined {
  const isChat = field === 'response_format'
  if (type === 'json_object' && !texts.some((text) => /json/i.test(text)))
    return {
      field: isChat ? 'messages' : field,
      message: isChat
        ? `'messages' must contain the word 'json' in some form, to use '${field}' of type 'json_object'.`
        : `Response input messages must contain the word 'json' in some form to use '${field}' of type 'json_object'.`,
    }
  if (type !== 'json_schema') return undefined
  const misnamed = nameFault(isChat ? `${field}.json_schema.name` : `${field}.name`, schema.name)
  if (misnamed !== undefined)
    return isChat && Object.keys(schema).length === 0 ? missingField(`${field}.json_schema`) : misnamed
  const fault = schema.strict === true ? (rootFault(schema.schema) ?? faultOfSchema(schema.schema, true)) : undefined
  if (fault === undefined) return undefined
  const message = `Invalid schema for response_format '${schema.name}': ${fault}`
  return isChat ? { field, message } : { code: 'invalid_json_schema', field: `${field}.schema`, message }
}

/** Why a name is refused of a function or of a schema. */
function nameFault(field: string, name: Json | undefined): Fault | undefined {
  if (typeof name !== 'string') return missingField(field)
  if (name.length > LONGEST_NAME) return tooLong(field, LONGEST_NAME, name)
  return /^[a-zA-Z0-9_-]+$/.test(name) ? undefined : mismatched(field, '^[a-zA-Z0-9_-]+$')
}

const LONGEST_NAME = 64

const rootFault = (schema: Json | undefined): string | undefined => {
  const { type = 'None' } = fieldsOf(schema)
  return type === 'object' ? undefined : `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`
}

/** The tools of a chat. */
const OF_CHATS = ['function', 'custom']

/** `web_search_preview` is `web_search`, and `computer_use` is `computer`. */
const kindOf = (type: Json | undefined): string => String(type).replace(/_use|_preview|_20\d\d.*/g, '')

/** Why the tools of a request, or their choice, are refused. @param part of a tool that has its function */
function faultOfTools({ tool_choice }: Fields, tools: Json | undefined, part?: string): Fault | undefined {
  const all = listOf(tools)
  if (all.length === 0 && (tool_choice === 'required' || (typeof tool_choice === 'object' && tool_choice !== null)))
    return onlyWithTools('tool_choice')
  const nameOf = (tool: Fields) => tool.name ?? fieldsOf(tool[String(tool.type)]).name
  const chosen = fieldsOf(tool_choice)
  const type = kindOf(chosen.type ?? 'allowed_tools')
  const name = type === 'function' || type === 'custom' ? nameOf(chosen) : undefined
  const isChosen = (tool: Fields) => (name === undefined ? kindOf(tool.type) === type : nameOf(tool) === name)
  if (type !== 'allowed_tools' && !all.some((tool) => [tool, ...listOf(tool.tools)].some(isChosen)))
    return { field: 'tool_choice', message: `Tool choice '${name ?? chosen.type}' not found in 'tools' parameter.` }
  for (const [at, tool] of all.entries()) {
    if (part !== undefined && 'type' in tool && !OF_CHATS.includes(String(tool.type)))
      return invalidValue(`tools[${at}].type`, tool.type, OF_CHATS)
    if (tool.type !== 'function') continue
    if (part !== undefined && tool[part] === undefined) return missingField(`tools[${at}].${part}`)
    const { name, strict, parameters } = part === undefined ? tool : fieldsOf(tool[part])
    const field = part === undefined ? `tools[${at}]` : `tools[${at}].${part}`
    const misnamed = nameFault(`${field}.name`, name)
    if (misnamed !== undefined) return misnamed
    const fault = parameters == null ? undefined : (rootFault(parameters) ?? faultOfSchema(parameters, strict === true))
    const code = 'invalid_function_parameters'
    if (fault !== undefined)
      return { code, field: `${field}.parameters`, message: `Invalid schema for function '${name}': ${fault}` }
  }
  return undefined
}

/** What a schema lacks: arrays have items; a strict one's objects require all of their properties, and allow no others. */
function faultOfSchema(given: Json | undefined, isStrict: boolean, place: readonly string[] = []): string | undefined {
  const schema = fieldsOf(given)
  const context = `In context=(${place.map((part) => `'${part}'`).join(', ')}), `
  const properties = fieldsOf(schema.properties)
  if ([schema.type].flat().includes('array') && schema.items === undefined)
    return `${context}array schema missing items.`
  if (isStrict && [schema.type].flat().includes('object')) {
    if (schema.additionalProperties !== false)
      return `${context}'additionalProperties' is required to be supplied and to be false.`
    const missing = Object.keys(properties).find((name) => ![schema.required].flat().includes(name))
    if (missing !== undefined)
      return `${context}'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
  }
  const below = ['properties', '$defs', 'definitions', 'anyOf'].flatMap((part) =>
    Object.entries(schema[part] ?? {}).map(([name, one]: [string, Json]) => ({ parts: [part, name], one })),
  )
  if (schema.items !== undefined) below.push({ parts: ['items'], one: schema.items })
  return firstFault(below, ({ parts, one }) => faultOfSchema(one, isStrict, [...place, ...parts]))
}

/** Why the messages of a chat are refused: the answer of a tool follows its call, and each call has one. */
function faultOfMessages(messages: readonly Fields[]): Fault | undefined {
  let open: unknown[] = []
  for (const [at, { role, tool_calls, tool_call_id }] of [...messages, {} as Fields].entries()) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id))
        return {
          field: `messages.[${at}].role`,
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        }
      open = open.filter((id) => id !== tool_call_id)
      continue
    }
    if (open.length > 0)
      return {
        field: 'messages',
        message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
      }
    open = listOf(tool_calls).map(({ id }) => id)
  }
  return undefined
}

/** Why the items before a response are refused: calls and outputs of tools come in pairs. */
function faultOfItems(items: readonly Fields[]): string | undefined {
  for (const type of ['function_call', 'custom_tool_call', 'computer_call']) {
    const idsOf = (wanted: string) => items.flatMap((item) => (item.type === wanted ? [item.call_id] : []))
    const [called, answered] = [idsOf(type), idsOf(`${type}_output`)]
    const name = type.replaceAll('_', ' ')
    const stray = answered.find((id) => !called.includes(id))
    if (stray !== undefined) return `No tool call found for ${name} output with call_id ${stray}.`
    const open = called.find((id) => !answered.includes(id))
    if (open !== undefined) return `No tool output found for ${name} ${open}.`
  }
  return undefined
}
