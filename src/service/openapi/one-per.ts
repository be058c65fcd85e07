/**
 * `make`, called once for each argument: what many operations of a description share is read once, and takes memory once.
 */
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
