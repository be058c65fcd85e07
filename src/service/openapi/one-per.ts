/** Caches `make` by argument: a part shared by many operations is read and stored once. */
export function onePer<Written, Read>(make: (written: Written) => Read): (written: Written) => Read {
  const made = new Map<Written, Read>()
  return (written) => {
    const known = made.get(written)
    if (known !== undefined || made.has(written)) return known as Read
    const read = make(written)
    made.set(written, read)
    return read
  }
}
