import { type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'

const TERM = /(?:(-?[A-Za-z][\w-]*):)?(?:"([^"]*)"|(\S+))/g

/** The parts of a search such as `is:open label:"good first issue" crash`: the words, and the values by qualifier. */
export function searched(text: Json): JsonObject {
  const words: string[] = []
  const qualifiers = new Map<string, string[]>()
  for (const [, name, quoted, plain] of valueText(text).matchAll(TERM)) {
    const value = quoted ?? plain ?? ''
    if (name === undefined) words.push(value.toLowerCase())
    else qualifiers.set(name.toLowerCase(), [...(qualifiers.get(name.toLowerCase()) ?? []), value])
  }
  return { words, ...Object.fromEntries(qualifiers) }
}
