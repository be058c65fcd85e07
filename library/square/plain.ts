import { type Fields, fieldsOf, isAmong, type Kept, type Operations, type SquareRequest } from './square.ts'

export const shown = ({ kind: _, of: _o, ...one }: Kept): Fields => one

/** The record of this kind that a path names last. */
export function plainOf(square: SquareRequest, kind: string): Kept {
  const id = String(Object.values(square.path).at(-1))
  return square.records.plain.find({ kind, id }) ?? square.gone(`There is no ${kind} with the ID ${id}.`)
}

/** Operations on records that are kept as they are sent. @param needs fields that a new one must have */
export function plainOperations(kind: string, needs: readonly string[], usual: Fields = {}) {
  return {
    create: (square: SquareRequest, more: Fields = {}) => {
      const given = { ...fieldsOf(square.body[kind]), ...more }
      const missing = needs.find((name) => given[name] == null)
      if (missing !== undefined) square.unset(`${kind}.${missing}`)
      const facts = { id: square.letters(24), kind, of: square.path.program_id ?? null, ...square.times }
      return { [kind]: shown(square.records.plain.create({ ...usual, ...given, version: 1, ...facts })) }
    },
    list: (square) => {
      const { location_id, status } = square.query
      const found = square.records.plain
        .where({ kind })
        .filter((one) => isAmong(one.location_id, location_id) && isAmong(one.status, status))
      return square.page(`${kind}s`, found, shown)
    },
    get: (square) => ({ [kind]: shown(plainOf(square, kind)) }),
    update: (square: SquareRequest, more: Fields = {}) => {
      const known = plainOf(square, kind)
      square.checkConflict(fieldsOf(square.body[kind]).version, known, `${kind}.version`)
      const { version: _, ...given } = fieldsOf(square.body[kind])
      return { [kind]: shown(square.change('plain', known, { ...given, ...more })) }
    },
    remove: (square) => {
      square.records.plain.remove(plainOf(square, kind))
      return {}
    },
  } satisfies Operations
}
