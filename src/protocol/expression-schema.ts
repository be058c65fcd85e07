import * as z from 'zod'
import { EVENT_PARTS, type Operator, TIME_FORMS } from './expression.ts'
import { isJsonObject } from './json.ts'
import { placeholdersOf } from './template.ts'

const path = z.string().min(1).max(500)
const idForm = z.strictObject({
  prefix: z.string().max(40).default(''),
  length: z.int().min(1).max(128).exactOptional(),
  alphabet: z.enum(['alphanumeric', 'upper', 'hex', 'digits', 'uuid']).default('alphanumeric'),
  /** `number`: its digits as a number. */
  as: z.literal('number').exactOptional(),
})
const timeForm = z.enum(TIME_FORMS)

/** Argument of each `$` operator. */
const OPERATORS = {
  $id: idForm,
  $time: z.union([timeForm, z.strictObject({ of: path.exactOptional(), as: timeForm.default('iso') })]),
  $record: path,
  $before: path,
  $event: z.enum(EVENT_PARTS),
  $request: z.string().regex(/^(?:id|header\.[\w-]+)$/, 'id or header.<name>'),
  $entry: path,
  $text: z.string().max(1_000),
} satisfies Record<Operator, z.ZodType>

/** A JSON value where an object with one `$` field is computed from a change: `{ $record: id }`, `{ $time: unix }`. */
export const expression = z.json().superRefine((value, context) => {
  for (const { path, message } of faultsOf(value, [])) context.addIssue({ code: 'custom', path, message })
})

function* faultsOf(
  value: unknown,
  path: (string | number)[],
): Generator<{ path: (string | number)[]; message: string }> {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* faultsOf(item, [...path, at])
  if (!isJsonObject(value)) return
  const names = Object.keys(value)
  const dollar = names.find((name) => name.startsWith('$'))
  if (dollar !== undefined) {
    if (names.length > 1) yield { path, message: `one expression: ${dollar} stands alone` }
    else if (!Object.hasOwn(OPERATORS, dollar))
      yield { path, message: `an expression of ${Object.keys(OPERATORS).join(', ')}, not ${dollar}` }
    else {
      const issue = OPERATORS[dollar as Operator].safeParse(value[dollar]).error?.issues[0]
      if (issue) yield { path: [...path, dollar], message: boundOf(issue) }
      else if (dollar === '$text') yield* unknownPlaceholders(String(value[dollar]), [...path, dollar])
    }
    return
  }
  for (const [name, below] of Object.entries(value)) {
    if (name.includes('{')) yield* unknownPlaceholders(name, [...path, name])
    yield* faultsOf(below, [...path, name])
  }
}

function* unknownPlaceholders(text: string, path: (string | number)[]) {
  const unknown = placeholdersOf(text).find(
    (name) => !name.startsWith('record.') && !(EVENT_PARTS as readonly string[]).includes(name),
  )
  const known = EVENT_PARTS.map((name) => `{${name}}`).join(' ')
  if (unknown !== undefined) yield { path, message: `a template of ${known} {record.<field>} without {${unknown}}` }
}

function boundOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`
  if (issue.code === 'unrecognized_keys') return `without the field "${issue.keys[0]}"`
  return issue.message
}
