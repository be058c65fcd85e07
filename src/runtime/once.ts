/** A function that calls `make` at its first call, and returns the same value from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The value of a key, made at its first use. */
export function onceFor<Key, Value>(made: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = made.get(key)
  if (known !== undefined || made.has(key)) return known as Value
  const value = make(key)
  made.set(key, value)
  return value
}
