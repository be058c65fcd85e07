import { foldNoun } from '../../../names/nouns.ts'
import type { Json } from '../../../protocol/json.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { ApiModel, Effect, ItemKey, PathSegment, ScopeParam } from '../../openapi/model.ts'
import type { Frame } from '../cell.ts'
import type { OutlineIndex, TableOutline } from './table-outline.ts'

/** Where the API shows a record of a collection by its key. */
interface Place {
  readonly segments: readonly PathSegment[]
  readonly keys: readonly ItemKey[]
  readonly scope: readonly ScopeParam[]
  /** `/` where the path ends in one. */
  readonly end: string
}

/** What the addresses need of the data. */
interface Data {
  readonly outlines: OutlineIndex
  /** One value of the record at `index` of `table`. */
  readonly valueAt: (table: TableOutline, index: number, field: FieldPath) => Json | undefined
}

/** Paths of records in the API, for the links between them: `/v1/customers/cus_1`, `/v1/customers/cus_1/orders`. */
export class RecordAddresses {
  readonly #model: ApiModel
  readonly #data: Data
  #places: ReadonlyMap<string, Place> | undefined
  #below: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined
  #isOpen = false
  #isCyclic = false

  constructor(model: ApiModel, data: Data) {
    this.#model = model
    this.#data = data
  }

  /**
   * The path of the record of `frame`; undefined where no operation reads it, a part of its path is not known, or a part
   * is itself an address: `/pages/by-url/{url}`.
   */
  of(table: TableOutline, frame: Frame): string | undefined {
    if (this.#isOpen) this.#isCyclic = true
    if (this.#isOpen) return undefined
    this.#isOpen = true
    this.#isCyclic = false
    try {
      const path = this.#written(table, frame)
      return this.#isCyclic ? undefined : path
    } finally {
      this.#isOpen = false
    }
  }

  #written(table: TableOutline, frame: Frame): string | undefined {
    const place = this.#placeOf(table)
    if (place === undefined) return undefined
    let path = this.#model.basePath
    for (const segment of place.segments) {
      const text = segment.kind === 'static' ? segment.text : this.#filled(segment, place, table, frame)
      if (text === undefined) return undefined
      path += `/${text}`
    }
    return path + place.end
  }

  /** The last part of the path that reads what lies below a record and has this noun. */
  partBelow(table: TableOutline, noun: string): string | undefined {
    const place = this.#placeOf(table)
    this.#below ??= readBelow(this.#model)
    return place && this.#below.get(shapeOf(place.segments))?.get(foldNoun(noun))
  }

  #placeOf(table: TableOutline): Place | undefined {
    this.#places ??= readPlaces(this.#model)
    return this.#places.get(table.model.name)
  }

  #filled(segment: PathSegment, place: Place, table: TableOutline, frame: Frame): string | undefined {
    if (segment.kind !== 'param') return undefined
    const value = this.#valueOf(segment.name, place, table, frame)
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    return segment.prefix + encodeURIComponent(value) + segment.suffix
  }

  #valueOf(param: string, { keys, scope }: Place, table: TableOutline, frame: Frame): Json | undefined {
    const own = keys.find((one) => one.param === param)
    if (own && own.field === undefined) return table.idOf({ frame })
    if (own?.field) return frame.isNew ? undefined : this.#data.valueAt(table, frame.index, own.field)
    const outer = scope.find((one) => one.param === param)
    const above = outer?.collection === undefined ? undefined : this.#data.outlines.find(outer.collection)
    if (outer === undefined || above === undefined) return undefined
    const { key: field } = outer
    const index = indexAbove(table, above, frame)
    if (index === undefined) return field ? undefined : frame.reference?.(above.model.name, 0)
    return field ? this.#data.valueAt(above, index, field) : above.keys.at(index)
  }
}

/**
 * The index of the record of `above` below which that of `frame` lies: its parent, or a parent's parent. Undefined for a
 * record that a client created.
 */
export function indexAbove(table: TableOutline, above: TableOutline, frame: Frame): number | undefined {
  if (!frame.isNew) return climb(table, above, frame.index)
  const key = frame.reference?.(above.model.name, 0)
  return key === undefined ? undefined : above.keys.indexOf(String(key))
}

function climb(table: TableOutline, above: TableOutline, index: number): number | undefined {
  const { parent } = table
  const next = parent && table.parentAt(index)
  if (!parent || next === undefined) return undefined
  return parent === above ? next : climb(parent, above, next)
}

type Read = Extract<Effect, { upsert: boolean }>

const isReadByPath = (effect: Effect): effect is Read =>
  effect.kind === 'read' && !effect.asks && effect.keys.length > 0 && effect.keys.every((key) => key.in === 'path')

/** For each collection, the shortest path that reads one of its records. */
function readPlaces({ operations }: ApiModel): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const { method, path, segments, effect } of operations) {
    if (method !== 'GET' || !isReadByPath(effect)) continue
    const known = places.get(effect.collection)
    if (known && known.segments.length <= segments.length) continue
    const { keys, scope } = effect
    places.set(effect.collection, { segments, keys, scope, end: path.endsWith('/') ? '/' : '' })
  }
  return places
}

/** By the shape of a path, what can be read one part below: that part, by its noun. */
function readBelow({ operations }: ApiModel): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const below = new Map<string, Map<string, string>>()
  for (const { method, segments } of operations) {
    const last = segments.at(-1)
    if (method !== 'GET' || last?.kind !== 'static') continue
    const shape = shapeOf(segments.slice(0, -1))
    const parts = below.get(shape) ?? new Map<string, string>()
    below.set(shape, parts)
    parts.set(foldNoun(last.text), last.text)
  }
  return below
}

/** A path without the names of its parameters. */
const shapeOf = (segments: readonly PathSegment[]): string =>
  segments.map((segment) => (segment.kind === 'static' ? `/${segment.text}` : '/{}')).join('')
