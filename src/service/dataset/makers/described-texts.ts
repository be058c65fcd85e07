import type { Schema } from '../../../schema/schema.ts'

/** The only value that a description names: "The type of this resource: `accounts`", "Always `list`." */
export function describedConstant({ description }: Schema): string | undefined {
  const constant =
    /(?:\balways(?: be| is| equals)?|\btype of th(?:is|e) (?:resource|object)):?\s*[`'"]([\w.:-]{1,60})[`'"]\.?\s*$/i
  return constant.exec(description?.slice(-200) ?? '')?.[1]
}

/** `e.g. "blue"` in a description. */
export function quotedExample(schema: Schema): string | undefined {
  const match = /(?:e\.g\.|for example|such as|example:)[,:]?\s*[`'"]([^`'"]{1,60})[`'"]/i.exec(
    schema.description?.slice(0, 2_000) ?? '',
  )
  return match?.[1]
}

/** The texts in `examples`. */
export function listedExamples(schema: Schema): readonly string[] {
  const listed = schema.raw.examples
  return Array.isArray(listed)
    ? listed.filter((value): value is string => typeof value === 'string' && value !== '')
    : []
}
