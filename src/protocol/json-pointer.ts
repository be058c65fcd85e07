/** The JSON pointer (RFC 6901) of a place: `/paths/~1tasks/get`. */
export function toPointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The names in a JSON pointer; none for the whole document, `''`. */
export function fromPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped)
}

/** The names in the JSON pointer of a reference: `#/paths/~1tasks%2F%7Bid%7D`. */
export function fromReference(reference: string): string[] {
  return reference.split('/').slice(1).map(fromReferencePart)
}

/** One name of a reference. */
export function fromReferencePart(part: string): string {
  return unescaped(part.includes('%') ? percentDecoded(part) : part)
}

function unescaped(name: string): string {
  return name.includes('~') ? name.replaceAll('~1', '/').replaceAll('~0', '~') : name
}

/** A text without its percent-encoding; unchanged where the encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
