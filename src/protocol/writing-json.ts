/** Longer lists are written in pieces, to this depth: deeper values are written whole. */
const FEW = 64
const MOST_DEPTH = 5
/** Characters of a list that are written between two pauses. */
const PIECE = 65_536

/**
 * `JSON.stringify` in pieces, with pauses inside long lists near the top. The value must not change meanwhile.
 *
 * @param most bound of a list, in characters: the rest of a longer one is left out, and its text is then longer than
 * `most`
 */
export function* writingJson(value: unknown, most = Infinity, depth = 0): Generator<undefined, string> {
  if (!hasLong(value, depth)) return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${value.length > FEW ? yield* writeLong(value, most) : yield* writeItems(value, most, depth)}]`
  let members = ''
  for (const [name, member] of Object.entries(value as object)) {
    if (member !== undefined)
      members += `${comma(members)}${JSON.stringify(name)}:${yield* writingJson(member, most, depth + 1)}`
  }
  return `{${members}}`
}

/** Whether a value has a list that is written in pieces. */
function hasLong(value: unknown, depth: number): boolean {
  if (depth > MOST_DEPTH || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value) && value.length > FEW) return true
  for (const name in value) if (hasLong((value as Record<string, unknown>)[name], depth + 1)) return true
  return false
}

// Here and below, strings are concatenated and not joined: V8 copies a concatenation only once, when it is read.
function* writeItems(list: readonly unknown[], most: number, depth: number): Generator<undefined, string> {
  let items = ''
  for (const item of list)
    items += comma(items) + (item === undefined ? 'null' : yield* writingJson(item, most, depth + 1))
  return items
}

function* writeLong(list: readonly unknown[], most: number): Generator<undefined, string> {
  let items = ''
  let paused = 0
  for (const item of list) {
    items += comma(items) + (item === undefined ? 'null' : JSON.stringify(item))
    if (items.length - paused < PIECE) continue
    paused = items.length
    if (paused > most) break
    yield
  }
  return items
}

const comma = (before: string): string => (before === '' ? '' : ',')
