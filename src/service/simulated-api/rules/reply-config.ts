import * as z from 'zod'
import type { Json } from '../../../protocol/json.ts'
import { type Prompt, type PromptCondition, type TextPattern, unmetBy } from '../../../protocol/reply.ts'
import { streamFaults, streamPace } from '../../../protocol/stream.ts'
import { flaggedTest } from '../../../schema/pattern-test.ts'

/** Fields of a `reply` rule: which prompts it answers, and what. */
export const replyConfig = () => {
  const line = z.string().max(4_000)
  const count = z.int().min(0).max(1_000_000)

  const pattern = z
    .strictObject({
      matches: z.string().min(1).max(1_000),
      flags: z
        .string()
        .regex(/^[dgimsuvy]*$/)
        .optional(),
    })
    .refine(({ matches, flags }) => flaggedTest(matches, flags) !== undefined, {
      message: 'a regular expression without back-references and look-behind',
    })
  const text = z.union([z.string().min(1).max(4_000), pattern])

  const stream = streamFaults().extend({
    ...streamPace().shape,
    error: z.record(z.string(), z.json()).optional(),
  })

  return {
    when: z
      .strictObject({
        text: text.optional(),
        system: text.optional(),
        model: text.optional(),
        tool: line.optional(),
        toolResult: text.optional(),
        turn: z.int().min(1).optional(),
        schema: line.optional(),
        operation: line.optional(),
        body: z.record(z.string(), z.json()).optional(),
      })
      .optional(),
    text: z.string().max(1_000_000).optional(),
    json: z.json().optional(),
    toolCalls: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(200),
          arguments: z.union([z.record(z.string(), z.json()), z.string()]).optional(),
          id: z.string().min(1).max(200).optional(),
          result: z.json().optional(),
        }),
      )
      .max(100)
      .optional(),
    reasoning: z.string().max(1_000_000).optional(),
    refusal: z.string().max(100_000).optional(),
    finish: z.enum(['stop', 'length', 'tools', 'filter', 'pause']).optional(),
    usage: z.strictObject({ input: count.optional(), output: count.optional(), cached: count.optional() }).optional(),
    embedding: z.array(z.number()).min(1).max(10_000).optional(),
    error: z
      .strictObject({
        status: z.int().min(400).max(599),
        code: z.string().max(200).optional(),
        type: z.string().max(200).optional(),
        message: z.string().max(4_000).optional(),
      })
      .optional(),
    stream: stream.optional(),
    set: z.record(z.string(), z.json()).optional(),
  }
}

/** Which conditions of a script a prompt does not meet. */
export type PromptTest = (prompt: Prompt, body?: Json) => string[]

/**
 * A script with tool calls answers the user, and not the results of its own calls, unless its conditions say which
 * turn or which result.
 */
export function promptTest({
  when = {},
  toolCalls,
}: {
  readonly when?: PromptCondition<string | TextPattern> | undefined
  readonly toolCalls?: readonly unknown[] | undefined
}): PromptTest {
  const tests = new Map<TextPattern, ((text: string) => boolean) | undefined>()
  const fits = (wanted: string | TextPattern, given: string): boolean => {
    if (typeof wanted === 'string') return given.includes(wanted)
    if (!tests.has(wanted)) tests.set(wanted, flaggedTest(wanted.matches, wanted.flags))
    return tests.get(wanted)?.(given) ?? false
  }
  const isForUser = toolCalls !== undefined && when.toolResult === undefined && when.turn === undefined
  const isQueued = Object.keys(when).length === 0
  return (prompt, body) => {
    const unmet = unmetBy(when, prompt, body, fits)
    return isForUser && !isQueued && prompt.toolResults.length > 0 ? [...unmet, 'toolResult'] : unmet
  }
}
