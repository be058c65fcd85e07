import { foldName } from './words.ts'

/** A number in records that counts those of another collection: all, or the ones with a status. */
export interface Count {
  readonly counter: string
  readonly status: unknown
}

/** The part of a collection's model that names its numbers. */
interface Collection {
  readonly name: string
  readonly singular: string
  readonly parent: { readonly collection: string } | undefined
  readonly relations: readonly { readonly collection: string }[]
  readonly statusField: readonly string[] | null | undefined
  readonly schema: Field | undefined
}

interface Field {
  readonly types: readonly string[]
  readonly enum: readonly unknown[] | undefined
  readonly fields: ReadonlyMap<string, Field>
}

const NONE: readonly Count[] = []

/** The numbers of `owner` that count the records of `model`: `appointments_count`, the `freeSeats` whose status is `free`. */
export function countsOf(model: Collection, owner: Collection): readonly Count[] {
  const { name, singular, parent, relations, statusField, schema } = model
  if (parent?.collection !== owner.name && relations.every((one) => one.collection !== owner.name)) return NONE
  const prefix = parent?.collection === owner.name ? foldName(owner.singular) : ''
  const nouns = [name, singular].map(foldName).flatMap((noun) => [noun, noun.replace(prefix, '')])
  const status = statusField?.reduce<Field | undefined>((inner, field) => inner?.fields.get(field), schema)
  const wanted = new Map<string, unknown>()
  for (const one of [undefined, ...(status?.enum ?? [])]) {
    const word = one === undefined ? '' : foldName(String(one))
    const forms = nouns.flatMap((noun) => [`${word}${noun}count`, `num${word}${noun}`, `numberof${word}${noun}`])
    for (const form of word === '' ? forms : [...forms, ...nouns.slice(0, 2).map((noun) => word + noun)])
      wanted.set(form, one)
  }
  return [...(owner.schema?.fields ?? [])].flatMap(([counter, { types }]) => {
    const folded = foldName(counter)
    return /integer|number/.test(types[0] ?? '') && wanted.has(folded) ? [{ counter, status: wanted.get(folded) }] : []
  })
}
