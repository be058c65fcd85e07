import type { JsonObject } from '../../../../protocol/json.ts'

const TERM = /(?:(-?[A-Za-z][\w-]*):)?(?:"([^"]*)"|(\S+))/g

/** The parts of a search such as `is:open label:"good first issue" crash`: the words, and the values by qualifier. */
export function termsOf(query: string): JsonObject {
  const words: string[] = []
  const qualifiers = new Map<string, string[]>()
  for (const [, name, quoted, plain] of query.matchAll(TERM)) {
    const value = quoted ?? plain ?? ''
    if (name === undefined) words.push(value.toLowerCase())
    else qualifiers.set(name.toLowerCase(), [...(qualifiers.get(name.toLowerCase()) ?? []), value])
  }
  return { words, ...Object.fromEntries(qualifiers) }
}
