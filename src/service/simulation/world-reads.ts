import { notFound } from '../../protocol/errors.ts'
import type { RecordsPage } from '../../protocol/reads.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { World } from '../world/world.ts'
import { listSome } from './simulation-init.ts'

/** The collections of a world with their counts, as the detail read shows them. */
export function summariseCollections(model: ApiModel, world: World): CollectionSummary[] {
  return model.collections.map(({ name, statusField, id, parent }) => ({
    name,
    records: world.count(name),
    statusField: statusField?.join('.') ?? null,
    idField: id.field?.join('.') ?? null,
    parent: parent?.collection ?? null,
  }))
}

/** One page of records as they are kept, past the simulated API. Throws `not_found` for an unknown collection. */
export function readRecords(
  model: ApiModel,
  world: World,
  name: string,
  { limit, offset }: { limit: number; offset: number },
): RecordsPage {
  const known = model.collections.map((collection) => collection.name)
  if (!known.includes(name)) {
    throw notFound(`No collection "${name}" in this simulation. There are: ${listSome(known)}.`)
  }
  const view = world.collection(name)
  const { records, total } = view.select({ offset, limit })
  return { data: records.map(({ record }) => record), total, limit, offset }
}

/** What a first request to an API can be for: a list at best. */
export function findFirstPath({ operations, basePath }: ApiModel): string | undefined {
  const reads = operations.filter(
    ({ method, path, parameters }) =>
      method === 'GET' && !path.includes('{') && !parameters.some((parameter) => parameter.required),
  )
  const first = reads.find(({ effect }) => effect.kind === 'list') ?? reads[0]
  return first && basePath + first.path
}
