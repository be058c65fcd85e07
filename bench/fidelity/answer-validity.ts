import type { JsonObject } from '../../src/protocol/json.ts'
import { schemaOfResponse } from '../../src/service/openapi/inference/bodies/bodies.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'
import type { CompiledOperation } from '../../src/service/simulated-api/compiled/compiled-operation.ts'
import { toText } from '../../src/service/simulated-api/exchange.ts'
import { performOperation } from '../../src/service/simulated-api/perform-operation.ts'
import { toContext } from '../../src/service/simulated-api/request-context.ts'
import { SimulatedApi } from '../../src/service/simulated-api/simulated-api.ts'
import type { World } from '../../src/service/world/world.ts'
import { SchemaChecker, Uncompilable } from './json-schema.ts'
import { SampleRequests } from './sample-requests.ts'
import { count, newTally, type Tally } from './tally.ts'

/** Whether responses match their declared schemas. */
export interface Validity {
  readonly generated: Tally
  readonly projected: Tally
  /** Success schemas that Ajv refuses to compile: not counted. */
  readonly uncompilable: string[]
}

/** Checks a generated example of every success schema, and the response of every operation that shows stored data. */
export function measureValidity(document: JsonObject, model: ApiModel, world: World, epoch: number): Validity {
  const checker = new SchemaChecker(document)
  const compiled = new CompiledApi(model)
  const api = new SimulatedApi({ api: compiled, world, seed: 'fidelity', validation: 'off', lenientParents: true })
  const requests = new SampleRequests(world)
  const validity: Validity = { generated: newTally(), projected: newTally(), uncompilable: [] }
  for (const operation of model.operations) {
    const schema = jsonSchemaOf(operation)
    if (!schema) continue
    try {
      count(validity.generated, operation, checker.check(schema.raw, world.dataset.example(schema, operation.id)))
    } catch (error) {
      if (error instanceof Uncompilable) validity.uncompilable.push(`${operation.id}: ${error.message}`)
      else count(validity.generated, operation, crash(error))
      continue
    }
    if (operation.effect.kind === 'example') continue
    if (operation.effect.kind === 'signIn') continue
    count(
      validity.projected,
      operation,
      answerFault(compiled.operation(operation), { api, requests, checker, epoch, raw: schema.raw }),
    )
  }
  return validity
}

function answerFault(
  compiled: CompiledOperation,
  parts: { api: SimulatedApi; requests: SampleRequests; checker: SchemaChecker; epoch: number; raw: JsonObject },
): string | undefined {
  const { api, requests, checker, epoch, raw } = parts
  try {
    const send = (attempt: number) => {
      const { operation } = compiled
      const sample = requests.sample(operation, attempt)
      const context = toContext({ request: requests.toRequest(operation, sample), at: epoch })
      context.route = { compiled, params: sample.params, isHead: false }
      return performOperation(api, context).response
    }
    let response = send(0)
    // A generated key may be taken already.
    for (let attempt = 1; response.status === 409 && attempt < 5; attempt++) response = send(attempt)
    if (response.status >= 400) return `answered ${response.status} ${String(response.body).slice(0, 200)}`
    const { body, headers } = response
    const isText = typeof body === 'string' || /json/.test(String(headers['Content-Type']))
    return isText ? checker.check(raw, JSON.parse(toText(body ?? ''))) : undefined
  } catch (error) {
    return crash(error)
  }
}

const crash = (error: unknown): string => `threw ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`

function jsonSchemaOf({ success }: Operation) {
  const isJson = [...success.content].some(([type, { schema }]) => schema && /[/+]json$|^\*\/\*$/.test(type))
  return isJson ? schemaOfResponse(success) : undefined
}
