/**
 * The same object with getters that are called once: the first result replaces the getter. For facts about each
 * operation, of which inference uses only a few.
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
