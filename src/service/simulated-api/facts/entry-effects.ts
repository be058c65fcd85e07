import type { EffectRow, EntryRows, MagicRow } from '../../../protocol/entry-rows.ts'
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
  const byName = new Map(rows.flatMap((row) => (row.name === undefined ? [] : [[row.name, row]])))
  const byOperation = new Map(rows.flatMap((row) => [row.on ?? []].flat().map((on) => [on, row])))
  const magicOn = Map.groupBy(magic, ({ on }) => on)
  return {
    errors,
    ignored,
    facts,
    isJoined,
    includes,
    parts,
    nouns,
    parameters,
    headers,
    fromAnswer,
    keys,
    references: new Map(Object.entries(references)),
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
    /** Throws for an unknown effect. */
    named(name: string): EffectRow {
      const row = byName.get(name)
      if (row === undefined) throw new Error(`Failed to run the effect "${name}": the entry has none of that name.`)
      return row
    },
    /** Inputs with a fixed outcome, of an operation (`POST /payments`) or of a named effect. */
    magicOf(row: EffectRow, operation: Operation | undefined): readonly MagicRow[] {
      const on = row.name ?? (operation && `${operation.method} ${operation.path}`)
      return (on === undefined ? undefined : magicOn.get(on)) ?? []
    },
  }
}
