import type { Talk, TalkMessage } from '../../src/handlers.ts'
import { numberOf } from '../openai/chat-talk.ts'
import { type Fields, fieldsOf, listOf } from '../shared/values.ts'
import { countMedia } from './attachments.ts'
import { contentsOf, partsOf, read, type Work } from './context.ts'

/** A request for content as a talk. @param cached the cached content that it begins with */
export function toTalk(work: Pick<Work, 'records' | 'tokens'>, model: string, body: Fields, cached: Fields = {}): Talk {
  const config = read(body, 'generationConfig')
  const mediaType = read(config, 'responseMimeType')
  const schema = read(config, 'responseJsonSchema') ?? read(config, 'responseSchema')
  const parts = [cached, body]
  const system = parts.map((part) => textOf(read(part, 'systemInstruction'))).filter((text) => text !== '')
  const { mode, allowed } = callingOf(parts)
  const tools = parts.flatMap(toolsOf)
  return {
    model,
    messages: [
      ...system.map((text) => ({ role: 'system' as const, text })),
      ...turnsOf(parts.flatMap(contentsOf)).flatMap((turn) => {
        const [first, ...others] = toMessages(turn)
        const counts = Object.values(
          countMedia(work, model, [{ contents: [{ ...turn }], generationConfig: config ?? null }]),
        )
        return first === undefined
          ? []
          : [{ ...first, tokens: counts.reduce((sum, count) => sum + count, 0) }, ...others]
      }),
    ],
    tools: allowed.length > 0 ? tools.filter(({ name }) => allowed.includes(name)) : tools,
    choice: mode === 'ANY' ? 'required' : mode === 'NONE' ? 'none' : 'auto',
    ...(schema !== undefined && { schema: { name: titleOf(schema), schema: toJsonSchema(schema) } }),
    json: mediaType === 'application/json',
    thinks: read(read(config, 'thinkingConfig'), 'includeThoughts') === true,
    limit: numberOf(read(config, 'maxOutputTokens')),
    stop: [read(config, 'stopSequences') ?? []].flat().map(String),
    body,
  }
}

/** Which functions a model may call, and whether it must. */
export function callingOf(parts: readonly Fields[]): { mode: string; allowed: readonly string[] } {
  const config = parts.map((part) => read(read(part, 'toolConfig'), 'functionCallingConfig')).findLast(Boolean)
  return {
    mode: String(read(config, 'mode') ?? 'AUTO').toUpperCase(),
    allowed: [read(config, 'allowedFunctionNames') ?? []].flat().map(String),
  }
}

const titleOf = (schema: unknown): string | undefined => {
  const { title } = fieldsOf(schema)
  return typeof title === 'string' ? title : undefined
}

/** The functions that a request declares. Other tools are run by the provider. */
export const functionsOf = (body: Fields): Fields[] =>
  listOf(body.tools).flatMap((tool) => listOf(read(tool, 'functionDeclarations')))

const toolsOf = (body: Fields): { name: string; schema: unknown }[] =>
  functionsOf(body).map((declared) => ({
    name: String(declared.name),
    schema: read(declared, 'parametersJsonSchema') ?? toJsonSchema(declared.parameters ?? { type: 'object' }),
  }))

/** The text of a content, or of a list of contents: of all parts that have one, thoughts left out. */
export const textOf = (content: unknown, between = '\n'): string =>
  typeof content === 'string'
    ? content
    : [content]
        .flat()
        .flatMap(partsOf)
        .flatMap(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : []))
        .join(between)

/** What one side says in one go: a streamed answer may come back as a content for each of its chunks. */
export interface Turn {
  readonly role: 'model' | 'user'
  readonly parts: Fields[]
}

export function turnsOf(contents: readonly Fields[]): Turn[] {
  const turns: Turn[] = []
  for (const content of contents) {
    const role = content.role === 'model' ? 'model' : 'user'
    const last = turns.at(-1)
    if (last?.role === role && (role === 'model' || hasResult(last.parts))) last.parts.push(...partsOf(content))
    else turns.push({ role, parts: [...partsOf(content)] })
  }
  return turns
}

const hasResult = (parts: readonly Fields[]): boolean => parts.some((part) => read(part, 'functionResponse'))

/** The messages of a turn: one for each result of a function, and one for its text. */
function toMessages({ role, parts }: Turn): TalkMessage[] {
  if (role === 'model') {
    const calls = parts.flatMap((part) => {
      const { name, args = {} } = fieldsOf(read(part, 'functionCall'))
      return name === undefined ? [] : [{ name: String(name), arguments: JSON.stringify(args) }]
    })
    return [{ role: 'assistant', text: textOf({ parts }, ''), calls }]
  }
  const results = parts.flatMap((part) => {
    const result = read(part, 'functionResponse')
    return result === undefined ? [] : [{ role: 'tool' as const, text: resultOf(fieldsOf(result).response) }]
  })
  const text = textOf({ parts })
  return [...results, ...(results.length === 0 || text !== '' ? [{ role: 'user' as const, text }] : [])]
}

/** The text of a function's result: its only text beside its name, else its JSON. */
function resultOf(response: unknown): string {
  const { name: _, ...fields } = fieldsOf(response)
  const [only, ...others] = Object.values(fields)
  return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(response ?? {})
}

/** A schema of Google's as JSON Schema: types in capitals, `nullable`, and counts as texts. */
export function toJsonSchema(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(toJsonSchema)
  if (typeof given !== 'object' || given === null) return given
  const { nullable, ...fields } = fieldsOf(given)
  const entries = Object.entries(fields).map(([name, value]) => {
    if (name === 'type') return [name, nullable === true ? [toType(value), 'null'].flat() : toType(value)]
    if (COUNTS.test(name)) return [name.replace(/_(.)/, (_, letter) => letter.toUpperCase()), Number(value)]
    if (name === 'properties' || name === '$defs')
      return [name, Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, one]) => [key, toJsonSchema(one)]))]
    return NESTED.test(name) ? [name.replace('any_of', 'anyOf'), toJsonSchema(value)] : [name, value]
  })
  return Object.fromEntries(entries)
}

const COUNTS = /^(?:min|max)_?(?:Items|Length|Properties|items|length|properties)$/
const NESTED = /^(?:items|prefixItems|anyOf|any_of|oneOf|allOf|additionalProperties)$/

const toType = (type: unknown): unknown =>
  Array.isArray(type) ? type.map(toType) : typeof type === 'string' ? type.toLowerCase() : type
