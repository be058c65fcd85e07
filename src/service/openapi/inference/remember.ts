/** Most answers that one memory keeps; past it, it starts anew. */
const MAX_KEPT = 20_000

/** A function of a text that remembers what it answered: names recur hundreds of times in a description. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const value = compute(text)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(text, value)
    return value
  }
}
