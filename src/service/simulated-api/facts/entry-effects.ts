import type { EffectRow, EntryRows, MagicRow, RefusalRow } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { StreamEvent } from '../../../protocol/stream.ts'
import type { Operation } from '../../openapi/model.ts'

/** A library entry's effects, indexed. */
export type EntryEffects = ReturnType<typeof indexEffects>

/** Made once for an entry. @param isJoined whether the entry extends a description of its user */
export function indexEffects(
  { effects = [], magic = [], errors = [], ignored = [], facts }: EntryRows,
  isJoined = false,
) {
  const {
    rows = [],
    references = {},
    includes = [],
    parts = [],
    nouns = {},
    parameters = {},
    headers = {},
    accounts,
    fromAnswer = {},
    keys,
    idempotency,
  } = Array.isArray(effects) ? { rows: effects } : effects
  const byName = new Map<string, EffectRow>()
  const byOperation = new Map<string, EffectRow>()
  for (const row of rows) {
    for (const on of [row.on ?? []].flat()) byOperation.set(on, withMagic(row, on, magic))
    if (row.name !== undefined) byName.set(row.name, withMagic(row, row.name, magic))
  }
  return {
    errors,
    ignored,
    facts,
    isJoined,
    references: new Map(Object.entries(references)),
    includes,
    parts,
    nouns,
    parameters,
    headers,
    fromAnswer,
    keys,
    accounts: accounts && { ...accounts, shared: new Set([...accounts.shared, accounts.of]) },
    /** The body field with an idempotency key. */
    idempotencyField: idempotency && 'field' in idempotency ? idempotency.field : undefined,
    /** Whether an idempotency key is for one path. */
    hasKeysOnce: idempotency !== undefined && 'once' in idempotency,
    /** The event of an error in mid-stream. */
    errorEvent: errors.find(({ code }) => code === 'streamError')?.body as StreamEvent | undefined,
    /** Names of effects that steps of the plan may run. */
    names: [...byName.keys()],
    /** Whether the entry has an error for undeclared parameters. */
    refusesUnknown: errors.some(({ fault }) => fault === 'unknown'),
    /** Whether the entry has an error for references to missing records. */
    refusesMissingReferences: errors.some(({ code }) => code === 'missing_reference'),
    /** Whether the entry has an error for names in `expand` that are no reference; otherwise these are left to the API. */
    refusesExpansions: errors.some(({ code }) => code === 'not_expandable'),
    /** Whether the entry has an error for ids in use: such a creation changes nothing. */
    refusesTaken: errors.some(({ code }) => code === 'conflict'),
    /** The entry's effect of an operation. */
    effectOf: ({ method, path }: Operation): EffectRow | undefined => byOperation.get(`${method} ${path}`),
    /** Inputs of an operation without a row, which does and warns otherwise what it would without them. */
    inputsOf({ method, path }: Operation): EffectRow | undefined {
      const on = `${method} ${path}`
      return magic.some((input) => input.on === on) ? withMagic({ on }, on, magic) : undefined
    },
    /** Throws for an unknown effect. */
    named(name: string): EffectRow {
      const row = byName.get(name)
      if (row === undefined) throw new Error(`Failed to run the effect "${name}": the entry has none of that name.`)
      return row
    },
  }
}

/** Operations whose effects follow what the model does. */
const MODEL_KINDS = new Set(['create', 'update', 'replace', 'delete'])

export const isWriting = ({ effect }: Operation): boolean => MODEL_KINDS.has(effect.kind)

/** Whether a row of an operation, or none, has a place to act: a record that is written or named, or an answer of its own. */
export const canAct = (row: Partial<EffectRow>, operation: Operation): boolean =>
  isWriting(operation) || row.record !== undefined || row.answer !== undefined || row.stream !== undefined

/** A row with its inputs of fixed outcome: refusals after its own. */
function withMagic(row: EffectRow, on: string, magic: readonly MagicRow[]): EffectRow {
  const refusals = magic.flatMap(({ on: own, body = {}, when = {}, ...refusal }): RefusalRow[] => {
    const sent = Object.fromEntries(valuesIn(body, '$request.body'))
    return own === on ? [{ ...refusal, when: [when].flat().map((one) => ({ ...one, ...sent })) }] : []
  })
  return refusals.length === 0 ? row : { ...row, refuse: [...[row.refuse ?? []].flat(), ...refusals] }
}

const valuesIn = (value: Json, path: string): [string, Json][] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, below]) => valuesIn(below, `${path}.${name}`))
    : [[path, value]]
