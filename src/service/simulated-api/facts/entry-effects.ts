import type {
  EffectRow,
  EntryRows,
  ErrorRow,
  IgnoredRow,
  IncludeRow,
  MagicRow,
  PageCut,
} from '../../../protocol/entry-rows.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { StreamEvent } from '../../../protocol/stream.ts'
import type { Operation } from '../../openapi/model.ts'

/** Functions of an entry's `handlers.ts` that its expressions call, by names such as `$shouted`. A generator pauses at each `yield`. */
export type EntryOperators = ReadonlyMap<string, (given: Json) => OperatorResult>

export type OperatorResult = Json | undefined | Generator<undefined, Json | undefined>

const PAGING: PageCut = { number: 'page', size: 'per_page', most: 100 }

/** A library entry's effects, indexed. Made once for an entry. */
export class EntryEffects {
  readonly errors: readonly ErrorRow[]
  readonly references: ReadonlyMap<string, string>
  readonly includes: readonly IncludeRow[]
  readonly parts: readonly string[]
  readonly nouns: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
  /** Headers of every answer, by name: expressions. */
  readonly headers: Readonly<Record<string, Json>>
  /** Accounts whose records are apart. */
  readonly accounts:
    | {
        readonly headers: readonly string[]
        readonly of: string
        readonly shared: ReadonlySet<string>
        readonly hidden?: true
      }
    | undefined
  /** How records are shown, by collection: expressions over the record. */
  readonly views: ReadonlyMap<string, Json>
  /** Query parameters for paging, for rows with `page`. */
  readonly paging: PageCut
  /** Fields of answers for headers. */
  readonly fromAnswer: { readonly location?: string; readonly lastModified?: string }
  /** Records that are keys, and the field with the key's value. */
  readonly keys: { readonly of: string; readonly field: string; readonly until?: string } | undefined
  /** The body field with an idempotency key. */
  readonly idempotencyField: string | undefined
  /** Whether an idempotency key is for one path. */
  readonly hasKeysOnce: boolean
  /** The form field with the whole body as JSON, next to files. */
  readonly jsonField: string | undefined
  readonly ignored: readonly IgnoredRow[]
  /** The event of an error in mid-stream. */
  readonly errorEvent: StreamEvent | undefined
  /** Fields of the entry that expressions may read. */
  readonly facts: JsonObject
  /** Effects and magic inputs, as written. */
  readonly rows: readonly (EffectRow | MagicRow)[]
  readonly #byOperation = new Map<string, EffectRow>()
  readonly #byName = new Map<string, EffectRow>()
  readonly #magic: ReadonlyMap<string, readonly MagicRow[]>

  /** Whether the entry extends a description of its user. */
  readonly isJoined: boolean

  constructor({ effects = [], magic = [], errors = [], ignored = [], facts }: EntryRows, isJoined = false) {
    const {
      rows,
      references = {},
      includes = [],
      parts = [],
      nouns = {},
      parameters = {},
      headers = {},
      accounts,
      views = {},
      paging = PAGING,
      fromAnswer = {},
      keys,
      idempotency,
      forms,
    } = Array.isArray(effects) ? { rows: effects } : effects
    for (const row of rows) {
      if (row.name !== undefined) this.#byName.set(row.name, row)
      for (const on of [row.on ?? []].flat()) this.#byOperation.set(on, row)
    }
    this.#magic = Map.groupBy(magic, ({ on }) => on)
    this.rows = [...rows, ...magic]
    this.errors = errors
    this.ignored = ignored
    this.errorEvent = errors.find(({ code }) => code === 'streamError')?.body as StreamEvent | undefined
    this.references = new Map(Object.entries(references))
    this.includes = includes
    this.parts = parts
    this.nouns = nouns
    this.parameters = parameters
    this.headers = headers
    this.accounts = accounts && { ...accounts, shared: new Set([...accounts.shared, accounts.of]) }
    this.paging = paging
    this.fromAnswer = fromAnswer
    this.keys = keys
    this.idempotencyField = idempotency && 'field' in idempotency ? idempotency.field : undefined
    this.hasKeysOnce = idempotency !== undefined && 'once' in idempotency
    this.jsonField = forms?.json
    this.views = new Map(Object.entries(views))
    this.facts = facts
    this.isJoined = isJoined
  }

  /** The operations of effects and magic inputs. */
  get operations(): string[] {
    const ofMagic = this.rows.flatMap(({ on }) => [on ?? []].flat())
    return ofMagic.filter((on) => !this.#byName.has(on))
  }

  /** Whether the entry has an error for undeclared parameters. */
  get refusesUnknown(): boolean {
    return this.errors.some(({ fault }) => fault === 'unknown')
  }

  /** Whether the entry has an error for references to missing records. */
  get refusesMissingReferences(): boolean {
    return this.errors.some(({ code }) => code === 'missing_reference')
  }

  /** Whether the entry has an error for names in `expand` that are no reference; otherwise these are left to the API. */
  get refusesExpansions(): boolean {
    return this.errors.some(({ code }) => code === 'not_expandable')
  }

  /** Whether the entry has an error for ids in use: such a creation changes nothing. */
  get refusesTaken(): boolean {
    return this.errors.some(({ code }) => code === 'conflict')
  }

  /** Names of effects that steps may run. */
  get names(): string[] {
    return [...this.#byName.keys()]
  }

  /** The entry's effect of an operation. */
  effectOf({ method, path }: Operation): EffectRow | undefined {
    return this.#byOperation.get(`${method} ${path}`)
  }

  /** Throws for an unknown effect. */
  named(name: string): EffectRow {
    const row = this.#byName.get(name)
    if (row === undefined) throw new Error(`Failed to run the effect "${name}": the entry has none of that name.`)
    return row
  }

  /** Inputs with a fixed outcome, of an operation (`POST /payments`) or of a named effect. */
  magicOf(row: EffectRow, operation: Operation | undefined): readonly MagicRow[] {
    const on = row.name ?? (operation && `${operation.method} ${operation.path}`)
    return (on === undefined ? undefined : this.#magic.get(on)) ?? []
  }
}
