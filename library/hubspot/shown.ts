import { present } from './derived.ts'
import { type CrmObject, type Fields, type Kind, listOf, namesIn, only } from './hubspot.ts'

/** What a request wants to see of objects. */
interface Wanted {
  /** @default the usual ones */
  readonly properties: readonly string[]
  /** Properties with all their values. */
  readonly history: readonly string[]
}

/** @param given a query or a body */
export const wantedIn = ({ properties, propertiesWithHistory }: Fields): Wanted => ({
  properties: namesIn(properties),
  history: namesIn(propertiesWithHistory),
})

/** An object as answers show it. @param wanted all properties without it */
export function toObject(kind: Kind, object: CrmObject, wanted?: Wanted): Fields {
  const { id, properties, history, createdAt, updatedAt, archived, archivedAt = null } = object
  const named = wanted?.properties.length ? wanted.properties : kind.shown
  const names = wanted ? [...new Set([...named, 'hs_object_id', kind.created, kind.modified])] : kind.shown
  // A property that was cleared is empty; one that never had a value is null.
  const all: Fields = { ...Object.fromEntries(Object.keys(history).map((name) => [name, ''])), ...present(properties) }
  return {
    id,
    properties: { ...only(all, names.join(' ')), ...(!wanted && all) },
    ...(wanted?.history.length && { propertiesWithHistory: present(only(history, wanted.history.join(' '))) }),
    createdAt,
    updatedAt,
    archived,
    ...(archived && { archivedAt }),
  }
}

/** The names of an association in v3: where one of its types can be Primary, `_unlabeled` is the one without a label. */
export function namesOfTypes(from: Kind, to: Kind, types: readonly Fields[]): string[] {
  const name = `${from.singular}_to_${to.singular}`
  const plain = listOf(from.links[to.name]).some(({ label }) => label === 'Primary') ? `${name}_unlabeled` : name
  const nameOf = (label: string) => (label === 'Primary' ? name : label.toLowerCase().replaceAll(' ', '_'))
  return types.map(({ label }) => (typeof label === 'string' ? nameOf(label) : plain)).sort()
}
