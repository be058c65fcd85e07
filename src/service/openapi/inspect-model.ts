import { recordKinds } from '../../names/event-kinds.ts'
import type { Inspection } from '../../protocol/inspection.ts'
import { statefulShare } from './coverage.ts'
import type { ApiModel, Operation } from './model.ts'
import { summariseOperations } from './summarise-operations.ts'

/** What a description amounts to: collections, events, and what each operation does. */
export function inspectModel(model: ApiModel): Inspection {
  return {
    title: model.title,
    version: model.version,
    basePath: model.basePath,
    stateful: statefulShare(model),
    collections: model.collections.map(({ name, singular, id, statusField, parent }) => ({
      name,
      id: id.field?.join('.') ?? null,
      statusField: statusField?.join('.') ?? null,
      parent: parent?.collection ?? null,
      events: Object.values(recordKinds({ singular })),
    })),
    singletons: model.singletons.map(({ name, parent }) => ({ name, parent: parent ?? null })),
    operations: summariseOperations(model),
    warnings: [...model.warnings],
  }
}

/** A warning of the query parameters that an operation does not filter by, where there are any. */
export function explainUnread({ method, path }: Operation, names: readonly string[]): string[] {
  if (names.length === 0) return []
  return [`${method} ${path} does not filter by ${names.join(', ')}: its records have no field that fits.`]
}
