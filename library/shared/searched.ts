import { type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'

const TERM = /(NOT\s+)?(?:(-?[A-Za-z][\w-]*):)?((?:"[^"]*"|[^\s"])+)/g

/** The parts of a search such as `is:open label:"good first issue" crash`: the words, those after `NOT` or `-`, and the values by qualifier. */
export function searched(text: Json): JsonObject {
  const [words, without]: [string[], string[]] = [[], []]
  const qualifiers = new Map<string, string[]>()
  for (const [, not, name, raw = ''] of valueText(text).matchAll(TERM)) {
    const value = raw.replaceAll('"', '')
    if (name === undefined && (not !== undefined || /^-./.test(value)))
      without.push(value.replace(/^-/, '').toLowerCase())
    else if (name === undefined) words.push(value.toLowerCase())
    else qualifiers.set(name.toLowerCase(), [...(qualifiers.get(name.toLowerCase()) ?? []), value])
  }
  return { words, without, ...Object.fromEntries(qualifiers) }
}
