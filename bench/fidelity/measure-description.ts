import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import type { Service } from '../../src/service/start.ts'
import { World } from '../../src/service/world/world.ts'
import { measureActions } from './actions.ts'
import { measureValidity, type Validity } from './answer-validity.ts'
import { measureEffective, withoutUntouched } from './effective.ts'
import { measureFilters } from './filters.ts'
import { measureListThenRead } from './list-then-read.ts'
import { type Subject, withSimulation } from './open-simulation.ts'
import { measurePaging } from './paging.ts'
import { measureRelations } from './relations.ts'
import { measureRoundTrips } from './round-trips.ts'
import { createStatefulTest } from './stateful.ts'
import type { Tally } from './tally.ts'
import { type Agreement, byRoute, measureAgreement } from './verb-agreement.ts'

const SEED = 'fidelity'
const EPOCH = Date.UTC(2025, 0, 15, 12)
/** Records of each collection: few, so that a new one is on the first page of its list. */
const RECORDS = 5
const LARGEST_UPLOAD = 5_000_000

/** The measurements of one description. */
export interface DescriptionReport {
  readonly file: string
  readonly version: string
  readonly operations: number
  readonly stateful: number
  readonly kinds: Readonly<Record<string, number>>
  readonly validity: Validity
  readonly effective: Tally
  /** {@link effective} without reads of what no operation of the description can change. */
  readonly reachable: Tally
  readonly roundTrips: Tally
  readonly listThenRead: Tally
  readonly filters: Tally
  readonly paging: Tally
  readonly relations: Tally
  readonly actions: Tally
  readonly verbs: Agreement
  readonly verbsWithoutNames: Agreement
  /** Operations without stored state. */
  readonly stateless: readonly string[]
  readonly inferenceMs: number
}

/** Measures one description. Throws the errors of its parser. */
export async function measureDescription(file: string, text: string, service: Service): Promise<DescriptionReport> {
  const document = await parseDescription(text)
  const start = performance.now()
  const model = readDescription(document)
  const inferenceMs = performance.now() - start
  const named = byRoute(model)
  const volume = Object.fromEntries(model.collections.map(({ name }) => [name, RECORDS]))
  const world = new World(model, createDataset(model, { seed: SEED, epoch: EPOCH, volume, seedRecords: {} }))
  const isStateful = createStatefulTest(model)
  const effective = measureEffective(model, world, EPOCH)
  const upload = Buffer.byteLength(text) > LARGEST_UPLOAD ? JSON.stringify(withoutProse(document)) : text
  return {
    file,
    version: String(document.openapi ?? document.swagger),
    operations: model.operations.length,
    stateful: model.operations.filter(isStateful).length,
    kinds: countKinds(model),
    validity: measureValidity(document, model, world, EPOCH),
    effective,
    reachable: withoutUntouched(model, effective),
    ...(await measureAsClient(service, { text: upload, model, world, seed: SEED, epoch: EPOCH, volume })),
    verbs: measureAgreement(model, named),
    verbsWithoutNames: measureAgreement(readDescription(withoutNames(document)), named),
    stateless: model.operations
      .filter((operation) => !isStateful(operation))
      .map(({ method, path, effect }) => `${method} ${path}: ${effect.kind}`),
    inferenceMs,
  }
}

/** Measurements by a client of a simulation. Reads run first, since writes would change their results. */
async function measureAsClient(service: Service, subject: Subject) {
  const reading = await withSimulation(service, subject, async (client) => ({
    listThenRead: await measureListThenRead(subject, client),
    filters: await measureFilters(subject, client),
    paging: await measurePaging(subject, client),
    relations: await measureRelations(subject, client),
  }))
  const roundTrips = await withSimulation(service, subject, (client) => measureRoundTrips(subject, client))
  const actions = await withSimulation(service, subject, (client) => measureActions(subject, client))
  return { ...reading, roundTrips, actions }
}

function countKinds(model: ApiModel): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const { effect } of model.operations) kinds[effect.kind] = (kinds[effect.kind] ?? 0) + 1
  return kinds
}

/** The description without names of operations, so that the tie-breaker has no hint. */
function withoutNames(document: JsonObject): JsonObject {
  if (!isJsonObject(document.paths)) return document
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    isJsonObject(item)
      ? Object.fromEntries(
          Object.entries(item).map(([key, value]) => [key, isJsonObject(value) ? withoutName(value) : value]),
        )
      : item,
  ])
  return { ...document, paths: Object.fromEntries(paths) as JsonObject }
}

function withoutName({ operationId: _, summary: __, ...operation }: JsonObject): JsonObject {
  return operation
}

/** A user's workaround for a description over the upload limit. */
function withoutProse(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) =>
          !(
            (key === 'description' && typeof inner === 'string') ||
            key === 'example' ||
            key === 'examples' ||
            key.startsWith('x-')
          ),
      )
      .map(([key, inner]) => [key, withoutProse(inner)]),
  )
}
