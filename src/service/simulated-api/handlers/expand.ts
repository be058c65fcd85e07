import { getOwn, isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import type { Draft } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'

/** Most names of one path, as for Stripe (but `data` within one record), and most paths of one request: each list multiplies the records. */
const MOST_LEVELS = 4
const MOST_PATHS = 50

/** The requested expansions of ids: `expand[]=latest_invoice.payment_intent`, in the query or the body. */
export function expansionsOf({ query, body }: ApiCall): string[][] {
  const sent = query.values.expand ?? (isJsonObject(body.value) ? body.value.expand : undefined)
  const paths = isJsonObject(sent) ? Object.values(sent) : [sent ?? []].flat()
  const asked = [...new Set(paths)].filter((path): path is string => typeof path === 'string' && path !== '')
  if (asked.length > MOST_PATHS) {
    const message = `Expected \`expand\` to have at most ${MOST_PATHS} paths, got ${asked.length}.`
    throw new Refusal(400, 'not_expandable', message, 'expand', { facts: { path: `${asked.length} paths` } })
  }
  return asked.map((path) => {
    const names = path.split('.')
    if (names.filter((name) => name !== 'data' || names[0] === 'data').length > MOST_LEVELS)
      throw notExpandable(names, { fault: 'depth' })
    return names
  })
}

/** Replaces ids by records in answers. */
export class Expander {
  readonly #setting: Setting
  readonly #draft: Draft
  readonly #book: EntryEffects

  constructor(setting: Setting, draft: Draft, book: EntryEffects) {
    this.#setting = setting
    this.#draft = draft
    this.#book = book
  }

  /**
   * A copy of an answer with ids at a path replaced by records. Throws a `Refusal` for an invalid path.
   *
   * @param kept the stored form of the value, with fields that are shown only on request
   */
  expand(value: Json, path: readonly string[], whole = path, kept?: Json): Json {
    const [name, ...rest] = path
    if (name === undefined) return value
    if (Array.isArray(value))
      return value.map((item, at) => this.expand(item, path, whole, Array.isArray(kept) ? kept[at] : undefined))
    if (!isJsonObject(value)) return value
    const own = (typeof value.id === 'string' ? this.#find(value.id)?.record : undefined) ?? kept
    const stored = isJsonObject(own) ? getOwn(own, name) : undefined
    const hidden = Object.hasOwn(value, name) ? undefined : (this.#included(value, name) ?? stored)
    if (hidden === undefined && !Object.hasOwn(value, name)) {
      if (this.#book.refusesExpansions) throw notExpandable(whole)
      return value
    }
    const shown = hidden ?? this.#resolve(value[name] ?? null)
    if (this.#book.refusesExpansions && name !== 'total_count' && /number|boolean/.test(typeof shown))
      throw notExpandable(whole)
    return { ...value, [name]: this.expand(shown, rest, whole, stored) }
  }

  /** A record for an id, records for a list of ids; other values unchanged. */
  #resolve(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item))
    if (typeof value !== 'string') return value
    const found = this.#find(value)
    if (found !== undefined) return this.#show(found.collection, value, found.record)
    for (const place of this.#book.parts) {
      const [collection = '', field = ''] = place.split('.')
      const partOf = (record: JsonObject) => {
        const parts = readField(record, [field, 'data'])
        return Array.isArray(parts) ? parts.find((one) => isJsonObject(one) && one.id === value) : undefined
      }
      const matches = (record: JsonObject) => partOf(record) !== undefined
      const [owner] = this.#draft.select(collection, [], { matches, most: 1 })
      const part = owner && partOf(owner.record)
      if (part !== undefined) return part
    }
    return value
  }

  #show(collection: string, key: string, record: JsonObject): Json {
    const { presenter } = this.#setting
    return presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
  }

  #find(id: string): { readonly collection: string; readonly record: JsonObject } | undefined {
    for (const { name: collection } of this.#setting.api.model.collections) {
      const record = this.#draft.get(collection, id)
      if (record !== undefined) return { collection, record }
    }
    return undefined
  }

  /** A list of records that a record shows only on request. */
  #included(record: JsonObject, name: string): Json | undefined {
    const row = this.#book.includes.find(({ field }) => {
      const [collection = '', own] = field.split('.')
      return own === name && typeof record.id === 'string' && this.#draft.get(collection, record.id) !== undefined
    })
    if (row === undefined) return undefined
    const records = this.#draft.select(row.of, [{ path: [row.by], test: (stored) => stored === record.id }])
    const data = records.map(({ key, record: other }) => this.#show(row.of, key, other))
    return {
      object: 'list',
      data,
      has_more: false,
      total_count: data.length,
      url: `/v1/${row.field.replace('.', `/${record.id}/`)}`,
    }
  }
}

function notExpandable(path: readonly string[], facts: JsonObject = {}): Refusal {
  const name = path.join('.')
  const message = `Expected \`expand\` to name a field that refers to a record, got ${name}.`
  return new Refusal(400, 'not_expandable', message, 'expand', { facts: { path: name, ...facts } })
}
