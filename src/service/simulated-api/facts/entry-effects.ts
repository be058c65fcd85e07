import { didYouMean } from '../../../names/nearest-name.ts'
import type { EntryFault } from '../../../protocol/entry-fault.ts'
import type { EntryRows } from '../../../protocol/entry-rows.ts'
import type { StreamEvent } from '../../../protocol/stream.ts'
import type { ApiModel, Operation } from '../../openapi/model.ts'

/** A library entry's effects, indexed. */
export type EntryEffects = ReturnType<typeof indexEffects>

type Effects = NonNullable<EntryRows['effects']>

const NO_EFFECTS: Required<Omit<Effects, 'accounts' | 'keys' | 'idempotency'>> = {
  ...{ rows: [], includes: [], parts: [] },
  ...{ references: {}, nouns: {}, parameters: {}, headers: {}, fromAnswer: {} },
}

/** Made once for an entry. @param isJoined whether the entry extends a description of its user */
export function indexEffects({ effects = {}, errors = [], ignored = [], facts }: EntryRows, isJoined = false) {
  const { rows, references, accounts, idempotency, ...others } = { ...NO_EFFECTS, ...effects }
  const byOperation = new Map(rows.flatMap((row) => [row.on].flat().map((on) => [on, row] as const)))
  return {
    errors,
    ignored,
    facts,
    isJoined,
    keys: undefined,
    ...others,
    references: new Map(Object.entries(references)),
    accounts: accounts && { ...accounts, shared: new Set([...accounts.shared, accounts.of]) },
    /** The body field with an idempotency key. */
    idempotencyField: idempotency && 'field' in idempotency ? idempotency.field : undefined,
    /** Whether an idempotency key is for one path. */
    hasKeysOnce: idempotency !== undefined && 'once' in idempotency,
    /** The event of an error in mid-stream. */
    errorEvent: errors.find(({ code }) => code === 'streamError')?.body as StreamEvent | undefined,
    /** Whether the entry has an error for undeclared parameters. */
    refusesUnknown: errors.some(({ fault }) => fault === 'unknown'),
    /** Whether the entry has an error for references to missing records. */
    refusesMissingReferences: errors.some(({ code }) => code === 'missing_reference'),
    /** Whether the entry has an error for names in `expand` that are no reference; otherwise these are left to the API. */
    refusesExpansions: errors.some(({ code }) => code === 'not_expandable'),
    /** Whether the entry has an error for ids in use: such a creation changes nothing. */
    refusesTaken: errors.some(({ code }) => code === 'conflict'),
    /** What the entry says of an operation. */
    rowOf: ({ method, path }: Operation) => byOperation.get(`${method} ${path}`),
  }
}

/** The operations and collections that `effects.yaml` names and the description does not have. */
export function findFaults({ effects = {} }: EntryRows, { operations, collections }: ApiModel): EntryFault[] {
  const { rows, references, includes, parts, keys } = { ...NO_EFFECTS, ...effects }
  const faults: EntryFault[] = []
  const check = (path: EntryFault['path'], what: string, name: string, known: readonly string[]): void => {
    if (!known.includes(name))
      faults.push({ file: 'effects', path, text: `there is no ${what} "${name}".${didYouMean(name, known)}` })
  }
  const known = operations.map(({ method, path }) => `${method} ${path}`)
  for (const [at, { on }] of rows.entries())
    for (const name of [on].flat()) check(['rows', at, 'on'], 'operation', name, known)
  const named = {
    references: Object.values(references),
    includes: includes.map(({ of }) => of),
    parts: parts.map((place) => place.replace(/\..*/, '')),
    keys: keys === undefined ? [] : [keys.of],
  }
  const names = collections.map(({ name }) => name)
  for (const [setting, given] of Object.entries(named))
    for (const name of given) check([setting], 'collection', name, names)
  return faults
}
