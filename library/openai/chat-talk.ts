import type { Talk, TalkMessage } from '../../src/handlers.ts'
import type { Fields } from '../shared/values.ts'
import { countAttachments, countSounds } from './attachments.ts'
import type { Work } from './context.ts'
import { thoughtsOf } from './models.ts'

type Body = Fields
type Part = Readonly<Record<string, unknown>>

const ROLES: Readonly<Record<string, TalkMessage['role']>> = {
  developer: 'system',
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

/** A chat completion's request as a talk. */
export function toTalk(work: Pick<Work, 'records' | 'tokens'>, model: string, body: Body): Talk {
  const messages = body.messages as unknown as readonly Part[]
  const format = (body.response_format ?? {}) as { type?: string; json_schema?: { name?: string; schema?: unknown } }
  const tools = [...((body.tools ?? []) as unknown as Part[]), ...legacyTools(body)]
  return {
    model,
    messages: messages.map(({ role, content, tool_calls, function_call }) => ({
      role: ROLES[String(role)] ?? 'user',
      text: textOf(content),
      calls: [...((tool_calls ?? []) as readonly Part[]), ...(function_call ? [{ function: function_call }] : [])].map(
        toCall,
      ),
      tokens: countAttachments(work, model, content) + countSounds(content),
    })),
    tools: allowedBy(body.tool_choice, tools.map(toTool)),
    choice: toChoice(body.tool_choice ?? body.function_call),
    ...(format.json_schema && { schema: { name: format.json_schema.name, schema: format.json_schema.schema ?? {} } }),
    json: format.type === 'json_object',
    thoughts: thoughtsOf(model, body),
    limit: numberOf(body.max_completion_tokens ?? body.max_tokens),
    stop: [body.stop ?? []].flat().map(String),
  }
}

const legacyTools = ({ functions = [] }: Body): Part[] =>
  (functions as unknown as Part[]).map((one) => ({ type: 'function', function: one }))

/** The text of a message: of all its parts that have one. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: Part | string) => (typeof part === 'string' ? part : (part.text ?? part.refusal ?? [])))
    .join('\n')
}

export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function toCall({ function: called, custom }: Part): { name: string; arguments: string } {
  const { name, arguments: given, input } = (called ?? custom ?? {}) as Part
  return { name: String(name), arguments: String(given ?? input ?? '') }
}

function toTool({ function: described, custom }: Part): { name: string; schema?: unknown } {
  const { name, parameters } = (described ?? custom ?? {}) as Part
  return { name: String(name), ...(parameters !== undefined && { schema: parameters }) }
}

/** The tools that a choice allows: those of its list, or all. */
export function allowedBy<T extends { readonly name: string }>(choice: unknown, tools: readonly T[]): readonly T[] {
  const { tools: listed } = modeOf(choice)
  if (!Array.isArray(listed)) return tools
  const names = listed.map((one: Part) => one.name ?? toTool(one).name)
  return tools.filter(({ name }) => names.includes(name))
}

/** A choice by its fields; chats have those of `allowed_tools` below that name. */
function modeOf(choice: unknown): Part {
  const fields = (typeof choice === 'object' && choice ? choice : {}) as Part
  return (fields.allowed_tools ?? fields) as Part
}

/** Which tools must be called: `auto`, `none`, `required`, or the name of one. */
export function toChoice(choice: unknown): Talk['choice'] {
  if (choice === 'none' || choice === 'required') return choice
  const { name, function: called, custom, mode } = modeOf(choice)
  if (mode === 'required') return 'required'
  const named = name ?? ((called ?? custom) as Part | undefined)?.name
  return named === undefined ? 'auto' : { name: String(named) }
}
