import { misspeltFor } from '../../../names/nearest-name.ts'
import type { ModelReply, Talk } from '../../../protocol/handler.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { Prompt, ReplyContent } from '../../../protocol/reply.ts'
import { hashText, hexDigits } from '../../../runtime/random.ts'
import { Refusal } from '../refusal.ts'
import { countTokens, LETTERS_PER_TOKEN } from './tokens.ts'

/** A function of a test that answers prompts; undefined leaves a prompt to others. */
export type Replier = (prompt: Prompt) => ReplyContent | undefined

/** A prompt that needs an answer. */
export interface AskedReply {
  readonly prompt: Prompt
  readonly body: Json | undefined
  readonly isEmbedding?: boolean
  readonly textless?: boolean | undefined
}

/** The scripts of a simulation. */
export interface ScriptBook {
  /** Takes the first script that fits, and counts it. A script with an embedding is for embeddings alone. */
  takeReply(asked: AskedReply, at: number): ReplyContent | undefined
  /** The script that misses the fewest conditions, and which. */
  nearestReply(prompt: Prompt): string | undefined
  readonly takenReplies: number
}

export const NO_SCRIPTS: ScriptBook = { takeReply: () => undefined, nearestReply: () => undefined, takenReplies: 0 }

/** What chooses and makes the answers of language models. */
export interface ReplySource {
  readonly seed: string
  readonly scripts: ScriptBook
  /** Functions of the test, newest first. */
  readonly repliers: readonly Replier[]
  /** Whether a prompt without a script is refused. */
  readonly isStrict: boolean
  readonly sample: (schema: unknown, key: string) => Json
  /** Why a value does not fit a JSON schema; undefined where it does. */
  readonly explainMisfit: (schema: unknown, value: Json) => string | undefined
  /** Notes an error for the end of the test. */
  readonly noteFault: (name: string, error: Error) => void
}

/** A prompt that no script answers, with `replies: 'strict'`. */
class UnscriptedPromptError extends Error {
  override readonly name = 'UnscriptedPromptError'
}

/** Tokens around each message of a talk. */
const MESSAGE_TOKENS = 4

/** What an application asked. */
export function toPrompt({ model, messages, tools = [], schema }: Talk, operation: string): Prompt {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  const textsOf = (wanted: string, after = -1): string[] =>
    messages.slice(after + 1).flatMap(({ role, text }) => (role === wanted ? [text] : []))
  return {
    model,
    system: textsOf('system').join('\n'),
    text: textsOf('user').at(-1) ?? '',
    turn: messages.filter(({ role }) => role === 'assistant').length + 1,
    tools: tools.map(({ name }) => name),
    toolResults: textsOf('tool', answered),
    schema: schema?.name ?? null,
    operation,
  }
}

/** A prompt as the log keeps it: of a long text the beginning and the end. */
export const toLoggedPrompt = (prompt: Prompt): Prompt => ({
  ...prompt,
  system: clipped(prompt.system),
  text: clipped(prompt.text),
  toolResults: prompt.toolResults.map(clipped),
})

const clipped = (text: string): string =>
  text.length > 2 * LIMITS.loggedBodyBytes
    ? `${text.slice(0, LIMITS.loggedBodyBytes)}…${text.slice(-LIMITS.loggedBodyBytes)}`
    : text

/** An estimate of the tokens of a talk. */
export function countTalk({ messages, tools = [], schema }: Talk): number {
  const ofMessages = messages.map(
    ({ text, calls = [], tokens = 0 }) =>
      MESSAGE_TOKENS +
      tokens +
      countTokens(text) +
      calls.reduce((sum, call) => sum + countTokens(call.name) + countTokens(call.arguments), 0),
  )
  const ofTools = [...tools, ...(schema ? [schema] : [])].map((tool) => countTokens(JSON.stringify(tool)))
  return [...ofMessages, ...ofTools].reduce((sum, count) => sum + count, MESSAGE_TOKENS)
}

/**
 * The answer to a talk: of the first script that fits, a function of the test, or generated. Throws a `Refusal` without
 * one in strict mode.
 * @param warnings receives that an answer is generated, and what a script has that the request does not allow
 */
export function replyTo(
  source: ReplySource,
  talk: Talk,
  { prompt, at, warnings }: { prompt: Prompt; at: number; warnings: string[] },
): ModelReply {
  const scripted =
    source.scripts.takeReply({ prompt, body: talk.body, textless: talk.textless }, at) ??
    source.repliers.reduce<ReplyContent | undefined>((found, ask) => found ?? ask(prompt), undefined) ??
    (talk.textless ? {} : talk.usual === undefined ? undefined : { text: talk.usual })
  if (scripted !== undefined) warnings.push(...misfitsOf(source, talk, scripted))
  if (scripted !== undefined) return complete(talk, scripted)
  if (source.isStrict) refuseUnscripted(source, prompt)
  warnings.push(`The answer is generated. Script it: ${scriptLine(prompt)}`)
  const thoughts = talk.thinks === true ? { reasoning: 'Simulated thoughts: none are scripted.' } : {}
  return complete(talk, { ...thoughts, ...generate(source, talk, prompt) })
}

/** A tool with a name like that of an offered one, and arguments and JSON of another form. Arguments as a text are as the test wants them. */
function misfitsOf({ explainMisfit }: ReplySource, talk: Talk, { toolCalls = [], json }: ReplyContent): string[] {
  const { tools = [], schema } = talk
  const names = tools.map(({ name }) => name)
  const ofCalls = toolCalls.flatMap(({ name, arguments: given = {} }) => {
    const tool = tools.find((one) => one.name === name)
    const meant = misspeltFor(name, names)
    if (meant !== undefined)
      return `The script calls the tool "${name}", which the request does not offer. Did you mean "${meant}"?`
    const misfit = typeof given === 'string' ? undefined : explainMisfit(tool?.schema, given as Json)
    return misfit === undefined ? [] : `The script's arguments do not fit the schema of the tool "${name}": ${misfit}`
  })
  const misfit = json === undefined ? undefined : explainMisfit(schema?.schema, json as Json)
  return misfit === undefined
    ? ofCalls
    : [...ofCalls, `The script's JSON does not fit the schema of the answer: ${misfit}`]
}

/** An answer from the seed that fits what the request asks for. */
function generate({ seed, sample }: ReplySource, talk: Talk, prompt: Prompt): ReplyContent {
  const { tools = [], choice = 'auto', schema, json } = talk
  const hash = hashText([seed, talk.model, JSON.stringify(talk.messages)].join('\n'))
  const key = hexDigits(hash, 4)
  const named = typeof choice === 'object' ? tools.find(({ name }) => name === choice.name) : tools[0]
  if (named !== undefined && (typeof choice === 'object' || (choice === 'required' && prompt.toolResults.length === 0)))
    return { toolCalls: [{ name: named.name, arguments: asObject(sample(named.schema ?? {}, key)) }] }
  const [result] = prompt.toolResults
  const about = result === undefined ? `no reply is scripted for "${shorten(prompt.text)}"` : `the tool says: ${result}`
  const text = `Simulated reply ${key}: ${about}.`
  if (schema !== undefined) return { json: sample(schema.schema, key) }
  return json ? { json: { answer: text } } : { text }
}

const asObject = (value: Json): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function complete(talk: Talk, content: ReplyContent): ModelReply {
  const { toolCalls = [], reasoning, refusal, usage = {}, embedding, error, stream = {}, set } = content
  const whole = content.json === undefined ? (content.text ?? '') : JSON.stringify(content.json)
  const { pieces, stoppedAt, isCut } = cut(whole, talk)
  const text = pieces.join('')
  const calls = toolCalls.map(({ name, arguments: given = {}, id, result }) => {
    const written = typeof given === 'string' ? given : JSON.stringify(given)
    return {
      id,
      name,
      arguments: written,
      pieces: written.match(ARGUMENT_PIECE) ?? [],
      result: result as Json | undefined,
    }
  })
  const shown = [text, refusal ?? '', reasoning ?? '', ...calls.flatMap((call) => [call.name, call.arguments])]
  const written = shown.reduce((sum, part) => sum + countTokens(part), 0)
  const { thoughts = 0, limit = Number.POSITIVE_INFINITY } = talk
  const hidden = reasoning === undefined && usage.output === undefined && written + thoughts <= limit ? thoughts : 0
  const output = written + hidden
  return {
    text,
    pieces,
    calls,
    reasoning,
    refusal,
    finish: content.finish ?? (isCut ? 'length' : calls.length > 0 ? 'tools' : 'stop'),
    stoppedAt,
    usage: {
      input: usage.input ?? countTalk(talk),
      output: usage.output ?? (isCut ? Math.max(output, talk.limit ?? 0) : output),
      cached: usage.cached ?? 0,
      reasoning: countTokens(reasoning ?? '') + hidden,
    },
    embedding,
    error: error && {
      status: error.status,
      code: error.code,
      type: error.type,
      message: error.message ?? `The script of the test answers ${error.status} here.`,
    },
    stream,
    set: set as JsonObject | undefined,
  }
}

/** A word with the space before it, and parts of a long one. */
const PIECE = /\s*\S{1,12}|\s+$/gu
const ARGUMENT_PIECE = /.{1,12}/gsu

/** The pieces of a text up to a stop sequence and to the limit of tokens. */
function cut(text: string, { stop = [], limit }: Talk): Pick<ModelReply, 'pieces' | 'stoppedAt'> & { isCut: boolean } {
  const [first] = stop
    .map((end) => ({ end, at: text.indexOf(end) }))
    .filter(({ at }) => at !== -1)
    .toSorted((left, right) => left.at - right.at)
  const pieces = text.slice(0, first?.at).match(PIECE) ?? []
  let tokens = 0
  const over = pieces.findIndex((piece) => {
    tokens += countTokens(piece)
    return limit !== undefined && tokens > limit
  })
  if (over === -1) return { pieces, stoppedAt: first?.end, isCut: false }
  // An answer has at least the beginning of a word.
  const shown =
    over === 0 ? pieces.slice(0, 1).map((piece) => piece.slice(0, LETTERS_PER_TOKEN)) : pieces.slice(0, over)
  return { pieces: shown, stoppedAt: undefined, isCut: true }
}

const scriptLine = ({ text }: Prompt): string =>
  `await simulation.reply({ when: { text: ${JSON.stringify(text)} }, text: '…' })`

function refuseUnscripted({ scripts, noteFault }: ReplySource, prompt: Prompt): never {
  const { model, turn, tools, text, operation, toolResults } = prompt
  const facts = [
    model,
    `turn ${turn}`,
    ...(tools.length > 0 ? [`tools ${tools.join(', ')}`] : []),
    ...toolResults.map((result) => `result ${JSON.stringify(shorten(result))}`),
  ]
  const nearest = scripts.nearestReply(prompt)
  const error = new UnscriptedPromptError(
    [
      `No reply is scripted for a prompt of ${operation}.`,
      `Prompt:   ${JSON.stringify(text)}  ${facts.join(', ')}`,
      ...(nearest === undefined ? [] : [`Nearest:  ${nearest}`]),
      `Queue:    empty, ${scripts.takenReplies} replies were taken`,
      `Script:   ${scriptLine(prompt)}`,
    ].join('\n'),
  )
  noteFault(operation, error)
  throw new Refusal(400, 'unscripted_prompt', error.message, undefined, { cause: error })
}
