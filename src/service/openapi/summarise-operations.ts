import type { OperationSummary } from '../../protocol/operation-summary.ts'
import { createStatefulTest } from './coverage.ts'
import type { ApiModel, Effect } from './model.ts'

/** The operations of an API, and what each does. */
export function summariseOperations(model: ApiModel): OperationSummary[] {
  const isStateful = createStatefulTest(model)
  return model.operations.map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    summary: operation.summary ?? null,
    kind: operation.effect.kind,
    subject: subjectOf(operation.effect),
    query: operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    stateful: isStateful(operation),
    body: operation.requestBody !== undefined,
  }))
}

function subjectOf(effect: Effect): string | null {
  if ('collection' in effect) return effect.collection
  return 'singleton' in effect ? effect.singleton : null
}
