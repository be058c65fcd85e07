/**
 * The same object, of which each getter is called once, when it is first read: what it returned stands in its place from then on.
 * For what inference works out of each operation, of which most tests ask a few.
 */
export function lazily<Parts extends object>(parts: Parts): Parts {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(parts))) {
    if (get === undefined) continue
    const readOnce = (): unknown => {
      const value: unknown = get.call(parts)
      Object.defineProperty(parts, name, { value })
      return value
    }
    Object.defineProperty(parts, name, { get: readOnce })
  }
  return parts
}
