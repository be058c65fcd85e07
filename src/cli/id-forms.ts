import type { Simulation } from '../fixture/simulation.ts'
import type { LibraryEntry } from '../library/library-entry.ts'
import { foldName } from '../names/words.ts'
import { isJsonObject, type Json, readPath } from '../protocol/json.ts'
import type { Shown } from './fillers.ts'

/** Number of records of a collection whose ids are read. */
const READ = 200

/** A number or a UUID, where ids have a prefix. */
const PLAIN = /^(?:\d+(?:\.\d+)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/**
 * Ids in answers and deliveries that lack the prefix of their collection's, a sentence for each field: an `id` of an
 * `object: customer`, and numbers and UUIDs in `customer` and `customer_id`. What was sent is the client's own.
 */
export async function strangeIds(
  { openapi }: LibraryEntry,
  simulation: Simulation,
  shown: readonly Shown[],
  sent: Json[],
): Promise<string[]> {
  const { readDescription } = await import('../service/openapi/read-description.ts')
  const prefixes = new Map<string, string>()
  for (const { name, singular, id } of readDescription(openapi).collections) {
    const records = id.field === undefined ? [] : await simulation.records(name, { limit: READ })
    const [prefix, ...others] = new Set(records.map((record) => prefixOf(readPath(record as Json, id.field ?? []))))
    if (prefix !== undefined && others.length === 0) prefixes.set(foldName(singular), prefix)
  }
  const own = new Set([...idsIn(sent)].map(({ id }) => id))
  const sentences = new Map<string, string>()
  for (const { by, body } of shown)
    for (const { path, of, id, isOwn } of idsIn(body)) {
      const prefix = prefixes.get(foldName(of))
      if (prefix === undefined || id.includes(prefix) || own.has(id) || sentences.has(path)) continue
      if (!isOwn && !PLAIN.test(id)) continue
      sentences.set(path, `${by} shows another id in \`${path}\` than of a ${of}, which begins with ${prefix}: ${id}`)
    }
  return [...sentences.values()]
}

const prefixOf = (id: Json | undefined): string | undefined =>
  /^([A-Za-z]+(?:_[a-z]+)*[_-])[A-Za-z0-9]{6,}$/.exec(String(id))?.[1]

interface FoundId {
  readonly path: string
  /** What it would be the id of. */
  readonly of: string
  readonly id: string
  /** Whether it is the `id` of an object that says what it is. */
  readonly isOwn: boolean
}

/** The texts of a value's fields, each with the name of what it would be the id of. */
function* idsIn(value: Json, path = ''): Generator<FoundId> {
  if (Array.isArray(value)) for (const item of value) yield* idsIn(item, `${path}[]`)
  else if (isJsonObject(value))
    for (const [name, item] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`
      const isOwn = name === 'id' && typeof value.object === 'string'
      const of = isOwn ? String(value.object) : name.replace(/_id$|Id$/, '')
      if (typeof item === 'string') yield { path: at, of, id: item, isOwn }
      else yield* idsIn(item, at)
    }
}
