/**
 * The words of a name in any of the usual spellings and any alphabet, in lower case: `customFieldSettings`,
 * `pull-requests`, `URLParser`, `Aufträge`.
 */
export function wordsOf(name: string): string[] {
  return /^[ -~]*$/.test(name) ? plainWordsOf(name) : anyWordsOf(name.normalize('NFC'))
}

/** Nearly all names are of ASCII, and Unicode's classes take 2 ms to load. */
function plainWordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

function anyWordsOf(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}
