import { nestPairs } from '../../../protocol/form.ts'
import { getOwn, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { type Checker, checkerOf } from '../../../schema/checker.ts'
import { type Problem, within } from '../../../schema/problem.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation, Parameter } from '../../openapi/model.ts'
import { coerce } from '../body/coerce.ts'
import { parsePairs } from '../body/form.ts'
import type { ApiRequest } from '../exchange.ts'

const DELIMITERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    form: ',',
    simple: ',',
    spaceDelimited: ' ',
    pipeDelimited: '|',
    tabDelimited: '\t',
  }),
)

/** The query of a request, read as the operation's parameters mean it. */
export interface Query {
  /** By declared name; undeclared parameters by the name before the first bracket. */
  readonly values: Readonly<Record<string, Json>>
  /** Names and texts as sent. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
}

/** A parameter that does not fit. */
export interface ParameterProblem {
  readonly parameter: Parameter
  readonly problem: Problem
}

const EMPTY_QUERY: Query = { values: {}, pairs: [] }

/** Reads the query: declared parameters by their style and schema, undeclared ones as nested texts. */
export function readQuery(parameters: readonly Parameter[], text: string): Query {
  if (text === '') return EMPTY_QUERY
  const pairs = parsePairs(text)
  const nested = nestPairs(pairs)
  const values: Record<string, Json> = { ...nested }
  for (const parameter of parameters) {
    const value = readParameter(parameter, pairs, nested)
    if (value !== undefined) setOwn(values, parameter.name, value)
    else if (getOwn(values, parameter.name) === '') delete values[parameter.name]
  }
  return { values, pairs }
}

/** What of the parameters does not fit the description, in the order declared. */
export function checkParameters(
  parameters: readonly CheckedParameter[],
  input: { params: Readonly<Record<string, string>>; query: Query; request: ApiRequest },
): ParameterProblem[] {
  const problems: ParameterProblem[] = []
  for (const { parameter, check } of parameters) {
    const value = textOrValue(parameter, input)
    if (value === undefined) {
      const missing = { path: [parameter.name], expected: `present in the ${parameter.in}`, got: undefined }
      if (parameter.required && parameter.in !== 'path' && !isCredential(parameter.name))
        problems.push({ parameter, problem: missing })
    } else {
      const problem = findRepetition(parameter, input.query) ?? check?.(value)
      if (problem) problems.push({ parameter, problem: within(parameter.name, problem) })
    }
  }
  return problems
}

/** One value is wanted, and the query has the parameter several times: which of them the API would take is unknown. */
function findRepetition(parameter: Parameter, { pairs }: Query): Problem | undefined {
  if (parameter.in !== 'query' || pairs.length < 2 || !takesOneValue(parameter.schema)) return undefined
  const texts = textsOf(parameter, pairs)
  return texts.length < 2 ? undefined : { path: [], expected: 'in the query once', got: [...texts] }
}

function takesOneValue(schema: Schema | undefined): boolean {
  if (schema === undefined || schema.types.length === 0) return false
  return !schema.types.some((type) => type === 'array' || type === 'object') && schema.variants === undefined
}

/** A parameter and what its values are held against. */
export interface CheckedParameter {
  readonly parameter: Parameter
  readonly check: Checker | undefined
}

/** The parameters of an operation that a request is checked for. */
export function findCheckedParameters({ parameters, effect }: Operation): CheckedParameter[] {
  const offset = 'paging' in effect ? effect.paging.offset : undefined
  return parameters
    .filter((parameter) => parameter.in !== 'querystring' && !isAboutTransport(parameter))
    .map((parameter) => {
      const check = parameter.schema && checkerOf(parameter.schema, { direction: 'request' })
      const isOffset = parameter.in === 'query' && parameter.name === offset && parameter.schema?.minimum === 1
      return { parameter, check: isOffset && check ? (value) => (value === 0 ? undefined : check(value)) : check }
    })
}

/** Names of credentials: the key is held against the security of the operation, wherever it stands. */
export const isCredential = (name: string): boolean =>
  /^(token|access[_-]?token|api[_-]?key|auth[_-]?token|x[_-]api[_-]key|authorization|client[_-]?secret)$/i.test(name)

/** Required fields of a body that are called like a key. */
export const credentialNames = (schema: Schema): string[] => [...schema.required].filter(isCredential)

/** Headers that OpenAPI says are described elsewhere: negotiation and security have their own answers. */
function isAboutTransport(parameter: Parameter): boolean {
  return parameter.in === 'header' && /^(accept|content-type|authorization)$/i.test(parameter.name)
}

function textOrValue(
  parameter: Parameter,
  { params, query, request }: { params: Readonly<Record<string, string>>; query: Query; request: ApiRequest },
): Json | undefined {
  switch (parameter.in) {
    case 'query':
      return getOwn(query.values, parameter.name)
    case 'path': {
      const text = params[parameter.name]
      return text === undefined ? undefined : fromTexts(parameter, [text])
    }
    case 'header': {
      const text = getOwn(request.headers, parameter.name.toLowerCase())
      return text === undefined ? undefined : fromTexts(parameter, [text])
    }
    case 'cookie': {
      const text = readCookie(request.headers.cookie ?? '', parameter.name)
      return text === undefined ? undefined : fromTexts(parameter, [text])
    }
    default:
      return undefined
  }
}

/** The value of one cookie of a `Cookie` header. */
export function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const split = pair.indexOf('=')
    if (split > 0 && pair.slice(0, split).trim() === name)
      return pair
        .slice(split + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/** What the query holds under the name of a parameter, with or without `[]`. */
function textsOf({ name }: Parameter, pairs: Query['pairs']): readonly string[] {
  const base = withoutBrackets(name)
  let texts: string[] | undefined
  for (const [key, value] of pairs) {
    if (key !== name && key !== base && !(key.endsWith('[]') && withoutBrackets(key) === base)) continue
    if (texts === undefined) texts = [value]
    else texts.push(value)
  }
  return texts ?? NO_TEXTS
}

const NO_TEXTS: readonly string[] = []

const withoutBrackets = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : name)

function readParameter(parameter: Parameter, pairs: Query['pairs'], nested: JsonObject): Json | undefined {
  const texts = textsOf(parameter, pairs)
  if (texts.length > 0) return isLeftOut(parameter, texts) ? undefined : fromTexts(parameter, texts)
  if (parameter.schema?.types.includes('object') && parameter.explode && parameter.style === 'form') {
    return fromFields(parameter, pairs)
  }
  const value = getOwn(nested, withoutBrackets(parameter.name))
  return value === undefined || typeof value === 'string' ? undefined : coerce(value, parameter.schema)
}

/** `?cursor=&limit=`: many clients send what they have no value for; a text may well be empty. */
function isLeftOut({ schema }: Parameter, texts: readonly string[]): boolean {
  if (schema === undefined || schema.types.length === 0 || schema.types.includes('string')) return false
  return !schema.types.includes('array') && texts.every((text) => text === '')
}

/** Exploded objects of style `form` stand in the query by the names of their fields. */
function fromFields(parameter: Parameter, pairs: Query['pairs']): Json | undefined {
  const fields = pairs.filter(([key]) => parameter.schema?.properties.has(key))
  return fields.length === 0 ? undefined : coerce(nestPairs(fields), parameter.schema)
}

function fromTexts(parameter: Parameter, texts: readonly string[]): Json {
  const { schema } = parameter
  const last = texts.at(-1) as string
  const isArray =
    schema?.types.includes('array') || schema?.variants?.some((variant) => variant.types.includes('array'))
  if (!isArray) return coerce(texts.length > 1 && schema === undefined ? [...texts] : last, schema)
  const delimiter = DELIMITERS.get(parameter.style) ?? ','
  const isJoined = texts.length === 1 && last.includes(delimiter)
  if (isJoined) return coerce(last.split(delimiter), schema)
  return coerce(
    last === '' && texts.length === 1
      ? []
      : schema?.types.includes('array')
        ? [...texts]
        : texts.length > 1
          ? [...texts]
          : last,
    schema,
  )
}
