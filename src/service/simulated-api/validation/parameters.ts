import { getOwn, type Json } from '../../../protocol/json.ts'
import { percentDecoded } from '../../../protocol/json-pointer.ts'
import { type Checker, checkerOf } from '../../../schema/checker.ts'
import { type Problem, within } from '../../../schema/problem.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation, Parameter } from '../../openapi/model.ts'
import { fromTexts, readFields, takesAnyText, textsOf } from '../body/parameter-styles.ts'
import type { ApiRequest } from '../exchange.ts'
import type { Query } from './read-query.ts'

/** A parameter with a fault. */
export interface ParameterProblem {
  readonly parameter: Parameter
  readonly problem: Problem
}

/** Faults of the parameters, in declared order. */
export function checkParameters(
  parameters: readonly CheckedParameter[],
  input: { params: Readonly<Record<string, string>>; query: Query; request: ApiRequest },
): ParameterProblem[] {
  const problems: ParameterProblem[] = []
  for (const checked of parameters) {
    const { parameter, check } = checked
    const value = textOrValue(checked, input)
    if (value === undefined) {
      if (!parameter.required || parameter.in === 'path' || checked.isKey) continue
      if (parameter.schema?.default !== undefined || isEmptyObject(parameter)) continue
      const problem = { path: [parameter.name], expected: `present in the ${parameter.in}`, got: undefined }
      problems.push({ parameter, problem })
    } else {
      const isRepeated = checked.takesOne && parameter.in === 'query' && !input.query.isFlat
      const problem = (isRepeated ? findRepetition(parameter, input.query) : undefined) ?? check?.(value)
      if (problem) problems.push({ parameter, problem: within(parameter.name, problem) })
    }
  }
  return problems
}

/** An object without fields writes nothing into a query: the `pageable` that springdoc calls required. */
const isEmptyObject = ({ in: place, style, explode, schema }: Parameter): boolean =>
  place === 'query' &&
  (explode || style === 'deepObject') &&
  schema?.types.join() === 'object' &&
  schema.required.size === 0

/** A repeated parameter that should have one value: which one the API would use is unknown. */
function findRepetition(parameter: Parameter, { pairs }: Query): Problem | undefined {
  if (pairs.length < 2) return undefined
  const texts = textsOf(parameter, pairs)
  return texts.length < 2
    ? undefined
    : { path: [], expected: 'in the query once, or described as an array', got: [...texts] }
}

function takesOneValue(schema: Schema | undefined): boolean {
  if (schema === undefined || schema.types.length === 0) return false
  return !schema.types.some((type) => type === 'array' || type === 'object') && schema.variants === undefined
}

export interface CheckedParameter {
  readonly parameter: Parameter
  readonly check: Checker | undefined
  /** Whether it may hold the key, which the security requirements check in any place. */
  readonly isKey: boolean
  /** Whether the query may have it only once. */
  readonly takesOne: boolean
  /** Parses its text outside of the query. */
  readonly read: (text: string) => Json
}

export function findCheckedParameters({ parameters, effect, security }: Operation): CheckedParameter[] {
  const offset = 'paging' in effect ? effect.paging.offset : undefined
  return parameters
    .filter((parameter) => parameter.in !== 'querystring' && !isAboutTransport(parameter))
    .map((parameter) => {
      const check = isPreference(parameter)
        ? undefined
        : parameter.schema && checkerOf(parameter.schema, { direction: 'request' })
      const isOffset = parameter.in === 'query' && parameter.name === offset && parameter.schema?.minimum === 1
      return {
        parameter,
        check: isOffset && check ? (value) => (value === 0 ? undefined : check(value)) : check,
        isKey: security.length > 0 && isCredential(parameter.name),
        takesOne: takesOneValue(parameter.schema),
        read: takesAnyText(parameter) ? (text) => text : (text) => fromTexts(parameter, [text]),
      }
    })
}

const isCredential = (name: string): boolean =>
  /^(token|access[_-]?token|api[_-]?key|auth[_-]?token|x[_-]api[_-]key|authorization|client[_-]?secret)$/i.test(name)

/** Required fields of a body with the name of a key. */
export const credentialNames = (schema: Schema): string[] => [...schema.required].filter(isCredential)

/** Headers that OpenAPI describes elsewhere: negotiation and security have their own answers. */
function isAboutTransport(parameter: Parameter): boolean {
  return parameter.in === 'header' && /^(accept|content-type|authorization)$/i.test(parameter.name)
}

/** `Accept-Language: *`, which clients send by themselves, or `de-CH, de;q=0.9`: a wish, of which the declared values are some. */
const isPreference = ({ in: place, name }: Parameter): boolean => place === 'header' && /^accept-/i.test(name)

function textOrValue(
  { parameter, read }: CheckedParameter,
  { params, query, request }: { params: Readonly<Record<string, string>>; query: Query; request: ApiRequest },
): Json | undefined {
  switch (parameter.in) {
    case 'query':
      return getOwn(query.values, parameter.name)
    case 'path': {
      const text = params[parameter.name]
      return text === undefined ? undefined : read(text)
    }
    case 'header': {
      const text = getOwn(request.headers, parameter.name.toLowerCase())
      return text === undefined ? undefined : read(text)
    }
    case 'cookie': {
      const { cookie = '' } = request.headers
      if (!takesAnyText(parameter)) return getOwn(readFields([parameter], cookiesIn(cookie, parameter)), parameter.name)
      return readCookie(cookie, parameter.name)
    }
    default:
      return undefined
  }
}

/** The cookies of a header. An exploded list or object may also be in one cookie, joined like a query. */
function cookiesIn(header: string, { explode }: Parameter): [name: string, value: string][] {
  return header.split(explode ? /[;&]/ : ';').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [
      name.trim(),
      percentDecoded(
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ),
    ]
  })
}

/** The value of one cookie in a `Cookie` header. */
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
