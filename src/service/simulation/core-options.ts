import { didYouMean } from '../../names/nearest-name.ts'
import type { BehaviourPlan } from '../../protocol/behaviour.ts'
import { type ApiError, badRequest, invalidRequest } from '../../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../protocol/json.ts'
import type { ValidationMode } from '../../protocol/simulation.ts'
import { createDataset } from '../dataset/create-dataset.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { CompiledApi } from '../simulated-api/compiled/compiled-api.ts'
import type { ConductBook } from '../simulated-api/conduct/conduct-book.ts'
import { withTimes } from '../simulated-api/conduct/times.ts'
import { explainGiven } from '../simulated-api/validation/given-record.ts'
import type { SpokenEntry } from '../webhooks/event-forms.ts'
import { keyIn } from '../world/field.ts'
import type { InitialAccess } from './access-list.ts'
import { listSome, type SimulationInit } from './simulation-init.ts'

/** What a core is made of. Its state is a function of this and of the commands so far. */
export interface CoreOptions {
  readonly api: CompiledApi
  readonly dataset: Dataset
  readonly seed: string
  /** Where its creator chose one: events of two simulations of one description then have different ids. */
  readonly slug?: string | undefined
  /** World time at creation, milliseconds. */
  readonly epoch: number
  /** Real time of creation, milliseconds. */
  readonly createdAt: number
  readonly validation: ValidationMode
  /** Whether creating below a parent that does not exist answers 404. */
  readonly strictParents: boolean
  readonly access: InitialAccess
  readonly plan: BehaviourPlan
  readonly conduct?: ConductBook | undefined
  readonly keyPrefixes?: readonly string[] | undefined
  /** How the library entry tells its changes. */
  readonly speech?: SpokenEntry | undefined
  /** Whether webhooks may go to private addresses, and there without TLS. @default false */
  readonly hasPrivateWebhooks?: boolean | undefined
  /** Most webhooks. @default no limit */
  readonly maxWebhooks?: number | undefined
}

/**
 * Generates the data of a simulation that begins at `start`.
 *
 * @throws `bad_request` for a collection that the model does not have, `invalid_request` for records without ids of their own.
 */
export function coreOptionsOf(
  init: SimulationInit,
  start: Pick<CoreOptions, 'seed' | 'epoch' | 'createdAt'>,
): CoreOptions {
  const { blueprint, access, volume = {}, hints = {} } = init
  const { model, api } = blueprint
  const conduct = init.conduct && blueprint.bookOf(init.conduct)
  const given = init.seedRecords ?? {}
  const seedRecords = conduct === undefined ? given : prepareSeeds(given, model, start.epoch)
  checkCollections('volume', Object.keys(volume), model)
  checkCollections('seedRecords', Object.keys(seedRecords), model)
  const dataset = createDataset(model, { ...start, volume, seedRecords, hints, codecs: blueprint.codecs })
  checkSeedRecords(seedRecords, model, dataset)
  checkSeedFields(seedRecords, api)
  return {
    ...start,
    slug: init.hasOwnSlug ? init.slug : undefined,
    api,
    access,
    dataset,
    validation: init.validation ?? 'strict',
    strictParents: init.strictParents ?? false,
    plan: blueprint.startingPlan(init.plan, conduct?.names).plan,
    conduct,
    keyPrefixes: init.keyPrefixes,
    speech: init.speech,
    hasPrivateWebhooks: init.reachable.hasPrivate,
    maxWebhooks: init.maxWebhooks,
  }
}

function prepareSeeds(
  seedRecords: Readonly<Record<string, readonly JsonObject[]>>,
  { collections }: ApiModel,
  epoch: number,
): Record<string, JsonObject[]> {
  const prepared = Object.entries(seedRecords).map(([name, records]) => {
    const { schema } = collections.find((collection) => collection.name === name) ?? {}
    const usual = [...(schema?.properties ?? [])].flatMap(([field, { default: value }]) =>
      value === undefined ? [] : [[field, value as Json] as const],
    )
    return [name, records.map((record) => ({ ...Object.fromEntries(usual), ...asDated(record, epoch) }))] as const
  })
  return Object.fromEntries(prepared)
}

const asDated = (record: JsonObject, epoch: number): JsonObject => {
  const dated = withTimes(record, epoch)
  return isJsonObject(dated) ? dated : record
}

/** Throws `bad_request` when `names` has one that is no collection of the model. */
function checkCollections(field: string, names: readonly string[], model: ApiModel): void {
  if (names.length === 0) return
  const known = model.collections.map(({ name }) => name)
  const all = new Set(known)
  const unknown = names.find((name) => !all.has(name))
  if (unknown === undefined) return
  const shown = unknown.slice(0, 100)
  throw badRequest(
    `Expected \`${field}.${shown}\` to name a collection, got "${shown}".${didYouMean(shown, known)} There are: ${listSome(known)}.`,
  )
}

/** Throws `invalid_request` for given records that cannot all be told apart by their ids. */
function checkSeedRecords(
  seedRecords: Readonly<Record<string, readonly JsonObject[]>>,
  model: ApiModel,
  { tables }: Dataset,
): void {
  const given = model.collections.filter(({ name }) => Object.hasOwn(seedRecords, name))
  for (const {
    name,
    id: { field },
  } of given) {
    const records = seedRecords[name] ?? []
    const without = field === undefined ? records.length : countWithoutId(`seedRecords.${name}`, records, field)
    const room = without === 0 ? 0 : (tables.get(name)?.room ?? 0)
    if (without <= room) continue
    const id = field?.join('.') ?? 'id'
    throw invalidRequest(
      `Expected \`seedRecords.${name}\` to have at most ${room} records without an \`${id}\` of their own, got ${without}: the schema of \`${id}\` allows no more.`,
    )
  }
}

/** Throws `invalid_request` for given records with fields or values that the description does not allow. */
function checkSeedFields(seedRecords: Readonly<Record<string, readonly JsonObject[]>>, api: CompiledApi): void {
  for (const [name, records] of Object.entries(seedRecords)) {
    const { givenFields } = api.collection(name)
    for (const [at, record] of records.entries()) {
      const fault = explainGiven(record, givenFields, { place: `seedRecords.${name}[${at}]` })
      if (fault !== undefined) throw invalidRequest(fault)
    }
  }
}

/** How many of the records bring no id. Throws when two bring the same. */
function countWithoutId(place: string, records: readonly JsonObject[], field: readonly string[]): number {
  const ids = new Set<string>()
  let without = 0
  for (const [at, record] of records.entries()) {
    const value = readField(record, field) ?? null
    const id = typeof value === 'object' ? undefined : keyIn(value)
    if (value === null) without++
    else if (id === undefined) throw wrongId(`${place}[${at}].${field.join('.')}`, 'a text or a number', kindOf(value))
    else if (ids.has(id))
      throw wrongId(`${place}[${at}].${field.join('.')}`, 'unique', `${JSON.stringify(value)} again`)
    else ids.add(id)
  }
  return without
}

function wrongId(field: string, bound: string, got: string): ApiError {
  return invalidRequest(
    `Expected \`${field}\` to be ${bound}, got ${got}. Give the record another id, or none to have one made.`,
  )
}

const kindOf = (value: Json): string => (Array.isArray(value) ? 'an array' : 'an object')
