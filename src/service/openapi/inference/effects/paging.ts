import { PARAMETERS } from '../../../../names/paging-words.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { Paging, Parameter } from '../../model.ts'
import { fieldsOf, isObjectSchema } from '../bodies/bodies.ts'

/** The query parameters for paging, by role. */
export function findPaging(parameters: readonly Parameter[]) {
  const query = new Map<string, Parameter>()
  const isRange = parameters.some(({ name }) => name === 'to')
  for (const parameter of parameters) {
    // Times (`after`, `before`, `from` of format date-time or in milliseconds, `from` beside `to`) filter a list; they do not page it.
    const isNumber = parameter.schema?.types.every((type) => type === 'integer' || type === 'number')
    const isMoment =
      parameter.schema?.format === 'date-time' ||
      parameter.schema?.format === 'date' ||
      (isRange && parameter.name === 'from' && !isNumber) ||
      (/^(after|before)$/i.test(parameter.name) && isNumber && parameter.schema?.types.length === 1)
    // `limit: true` says how to count, not how many; `size: large` filters.
    const { enum: words = parameter.schema?.items?.enum, types } = parameter.schema ?? {}
    const isWord = types?.join() === 'boolean' || words?.some(isNumeric) === false
    if (parameter.in === 'query' && !isMoment && !isWord) query.set(foldName(parameter.name), parameter)
    // `before_after: { before, after }`, whose fields stand in the query by themselves.
    const { explode, style, schema } = parameter
    if (parameter.in !== 'query' || !explode || style !== 'form' || !schema?.types.includes('object')) continue
    for (const [name, field] of fieldsOf(schema)) {
      const known = foldName(name)
      if (!query.has(known)) query.set(known, { ...parameter, name, schema: field, required: false })
    }
  }
  // The first page needs no cursor: a required parameter is another token.
  const findOptional = (names: readonly string[]) => find(names.filter((name) => !query.get(name)?.required))
  const find = (names: readonly string[]) =>
    names.map((name) => query.get(name)).find((parameter) => parameter !== undefined)
  const page = find(PARAMETERS.page)
  // A `page` of type text is a cursor (Twilio, Stripe search).
  const isToken = page?.schema?.types.join() === 'string' && !isNumeric(page.schema.example ?? page.schema.default)
  const after = findOptional(PARAMETERS.after) ?? (isToken ? page : undefined)
  return {
    limit: find(PARAMETERS.limit)?.name,
    offset: find(PARAMETERS.offset)?.name,
    // Next to another cursor, a `page` of type text is a number.
    page: after === page ? undefined : page?.name,
    firstPage: firstOf(page),
    after: after?.name,
    before: findOptional(PARAMETERS.before)?.name,
  }
}

/** The number of the first page: the default where there is one, else the least allowed, else the example or the text. */
function firstOf({ schema, description = '' }: Partial<Parameter> = {}): 0 | 1 | undefined {
  const written = /\b(1|one)[- ]based|\b(start|begin)\w*\b.*\b(1|one)\b/i.test(description) ? 1 : undefined
  const first = isNumeric(schema?.default) ? schema?.default : (schema?.minimum ?? schema?.example ?? written)
  return !isNumeric(first) ? undefined : Number(first) === 0 ? 0 : 1
}

/** The paging as the answer shows it: a text `page` without a next token is a number, Spring's pages begin at 0. */
export function asAnswered(asked: ReturnType<typeof findPaging>, answer: Schema | undefined): Paging {
  const isSpring = fieldsOf(answer).has('number') && fieldsOf(answer).has('totalElements')
  const paging: Paging = { ...asked, firstPage: asked.firstPage ?? (isSpring ? 0 : 1) }
  const { after, page, offset, limit } = paging
  if (after === undefined && page === undefined && offset === undefined) {
    // Clients follow the address in the answer, and need not know what is in it.
    const isFollowed = limit !== undefined && answer !== undefined && showsNext(answer, /^(odata)?next/)
    return isFollowed ? { ...paging, after: 'cursor' } : paging
  }
  if (after === undefined || page !== undefined || !PARAMETERS.page.includes(foldName(after))) return paging
  return answer === undefined || showsNext(answer) ? paging : { ...paging, page: after, after: undefined }
}

const LEADS_ON = /next|cursor|token|after|href|links?$/

function showsNext(answer: Schema, words = LEADS_ON, depth = 0): boolean {
  for (const [name, field] of fieldsOf(answer)) {
    if (words.test(foldName(name))) return true
    if (depth < 2 && isObjectSchema(field) && showsNext(field, words, depth + 1)) return true
  }
  return false
}

const isNumeric = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && Number.isFinite(Number(value))
