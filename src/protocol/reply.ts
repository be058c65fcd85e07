import { isJsonObject, type Json, type JsonObject } from './json.ts'
import type { StreamFaults, StreamPace } from './stream.ts'

/** What an application asked a language model, in the words of no provider. */
export interface Prompt {
  readonly model: string
  /** The texts of the instructions, one a line. */
  readonly system: string
  /** The last text of the user. */
  readonly text: string
  /** Number of the answers so far, plus one. */
  readonly turn: number
  /** Names of the offered tools. */
  readonly tools: readonly string[]
  /** Results of tools since the last answer. */
  readonly toolResults: readonly string[]
  /** Name of the JSON schema that the answer must fit, or null. */
  readonly schema: string | null
  /** operationId, or method and path template. */
  readonly operation: string
}

/** A pattern, as it travels. */
export interface TextPattern {
  readonly matches: string
  readonly flags?: string | undefined
}

/** Conditions on a prompt: all that are given must fit. A text is contained, a pattern found. */
export interface PromptCondition<Text> {
  /** The last text of the user. */
  text?: Text | undefined
  /** The instructions. */
  system?: Text | undefined
  model?: Text | undefined
  /** One of the offered tools. */
  tool?: string | undefined
  /** One of the results of tools since the last answer. */
  toolResult?: Text | undefined
  /** Number of the answers so far, plus one. */
  turn?: number | undefined
  /** Name of the JSON schema of the answer. */
  schema?: string | undefined
  /** operationId, or method and path of the description. */
  operation?: string | undefined
  /** A deep partial of the request's body. */
  body?: object | undefined
}

/** What a script answers, in the words of no provider. */
export interface ReplyContent {
  text?: string | undefined
  /** Answered as its JSON text. */
  json?: unknown
  toolCalls?:
    | readonly {
        name: string
        arguments?: object | string | undefined
        id?: string | undefined
        /** What the tool answers, where the provider itself runs it. */
        result?: unknown
      }[]
    | undefined
  /** The summary of the reasoning before the answer. */
  reasoning?: string | undefined
  /** In place of a text. */
  refusal?: string | undefined
  /** @default 'tools' with tool calls, else 'stop' */
  finish?: 'stop' | 'length' | 'tools' | 'filter' | 'pause' | undefined
  /** Tokens. @default an estimate from the texts */
  usage?: { input?: number | undefined; output?: number | undefined; cached?: number | undefined } | undefined
  embedding?: readonly number[] | undefined
  /** In place of an answer. */
  error?:
    | { status: number; code?: string | undefined; type?: string | undefined; message?: string | undefined }
    | undefined
  stream?: StreamConduct | undefined
  /** A merge patch on the provider's own answer, for what is not neutral. */
  set?: object | undefined
}

/** How a streamed answer is sent, and how it breaks. */
export interface StreamConduct extends StreamPace, Omit<StreamFaults, 'error'> {
  /** The error of `errorAfter`, in the form of the provider. @default a server error */
  error?: object | undefined
}

/** The conditions that a prompt does not meet. @param fits whether a text of the prompt fits */
export function unmetBy<Text>(
  when: PromptCondition<Text>,
  prompt: Prompt,
  body: Json | undefined,
  fits: (wanted: Text, text: string) => boolean,
): string[] {
  const { text, system, model, tool, toolResult, turn, schema, operation } = when
  const isMet = <T>(wanted: T | undefined, test: (wanted: T) => boolean): boolean =>
    wanted === undefined || test(wanted)
  const checks = {
    text: isMet(text, (wanted) => fits(wanted, prompt.text)),
    system: isMet(system, (wanted) => fits(wanted, prompt.system)),
    model: isMet(model, (wanted) => fits(wanted, prompt.model)),
    tool: isMet(tool, (wanted) => prompt.tools.includes(wanted)),
    toolResult: isMet(toolResult, (wanted) => prompt.toolResults.some((result) => fits(wanted, result))),
    turn: isMet(turn, (wanted) => wanted === prompt.turn),
    schema: isMet(schema, (wanted) => wanted === prompt.schema),
    operation: isMet(operation, (wanted) => wanted === prompt.operation),
    body: isMet(when.body, (wanted) => isPartOf(wanted as Json, body)),
  }
  return Object.entries(checks).flatMap(([name, met]) => (met ? [] : name))
}

function isPartOf(wanted: Json, value: Json | undefined): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((item, at) => isPartOf(item, value[at]))
    )
  if (!isJsonObject(wanted)) return wanted === value
  return (
    isJsonObject(value) && Object.entries(wanted).every(([name, item]) => isPartOf(item, (value as JsonObject)[name]))
  )
}
