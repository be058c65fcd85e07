export const inQuotes = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')

/** Why a field is refused that is none of its kinds. */
export const unknownTag = (place: string, type: unknown, known: readonly string[]): string =>
  `${place}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${inQuotes(known)}`
