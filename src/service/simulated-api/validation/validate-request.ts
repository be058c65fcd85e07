import type { Operation } from '../../openapi/model.ts'
import type { Body } from '../body/read-body.ts'
import type { ApiRequest } from '../exchange.ts'
import { Refusal } from '../refusal.ts'
import { checkOf } from './check.ts'
import { checkParameters, type Query } from './parameters.ts'
import { describeProblem, toFieldName } from './problem.ts'

/** What of a request does not fit the description: the refusals, the gravest first. Empty when all fits. */
export function validateRequest(
  operation: Operation,
  input: { params: Readonly<Record<string, string>>; query: Query; body: Body; request: ApiRequest },
): Refusal[] {
  const refusals = checkParameters(operation, input).flatMap(({ parameter, problem }) => {
    const isInPath = parameter.in === 'path'
    // A text of the wrong form names nothing that exists: the look-up answers that.
    if (isInPath && parameter.schema?.types.includes('string') && parameter.schema.enum === undefined) return []
    const status = statusFor(operation, isInPath ? [400, 422, 404] : [400, 422])
    return [new Refusal(status, codeFor(status), describeProblem(problem), toFieldName(problem))]
  })
  const ofBody = validateBody(operation, input.body)
  return ofBody ? [...refusals, ofBody] : refusals
}

function validateBody(operation: Operation, body: Body): Refusal | undefined {
  const status = statusFor(operation, [422, 400])
  if (body.value === undefined) {
    if (!operation.requestBody?.required) return undefined
    return new Refusal(status, codeFor(status), 'Expected the body to be present, got nothing.')
  }
  const problem = body.schema && checkOf(body.schema, 'request')(body.value)
  return problem && new Refusal(status, codeFor(status), describeProblem(problem), toFieldName(problem))
}

/** The first of `wanted` that the operation declares; 400 when it declares none of them. */
function statusFor(operation: Operation, wanted: readonly number[]): number {
  return wanted.find((status) => operation.responses.has(String(status))) ?? 400
}

const codeFor = (status: number): string => (status === 404 ? 'not_found' : 'invalid_request')
