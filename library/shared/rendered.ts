import { isJsonObject, type Json, type JsonObject, readField, valueText } from '../../src/protocol/json.ts'
import { sizeOf } from '../../src/protocol/size-of.ts'

const PLACE = /\{\{\{([^{}|]*)(?:\|([^{}]*))?\}\}\}|\{\{([^{}]*)\}\}/g
const QUOTED = /^(['"])(.*)\1$/

/** Most characters of a filled text: it may use a fact of 1 MB a million times. */
const MOST_FILLED = 2_000_000

/**
 * Fills facts into the texts of a value: `{{user.id}}`, or the first existing one of `{{user.name || 'Guest'}}` and of
 * `{{{user.name|Guest}}}`.
 */
export function renderTexts(value: Json, facts: Json, rest = { left: MOST_FILLED }): Json {
  if (Array.isArray(value)) return value.map((item) => renderTexts(item, facts, rest))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renderTexts(item, facts, rest)]))
  if (typeof value !== 'string') return value
  const whole = /^\{\{([^{}]*)\}\}$/.exec(value)
  if (whole) {
    const found = lookUp(whole[1] ?? '', facts)
    rest.left -= sizeOf(found)
    return rest.left > 0 ? found : null
  }
  return value.replace(PLACE, (_, name: string | undefined, other = '', names = '') => {
    const found = lookUp(name ?? names, facts)
    const text = valueText(found ?? other).slice(0, Math.max(0, rest.left))
    // Empty texts count too.
    rest.left -= text.length + 1
    return text
  })
}

/** A value with facts filled into its texts: `{ of, with }`. */
export const rendered = ({ of, with: facts }: JsonObject): Json => renderTexts(of ?? null, facts ?? null)

function lookUp(names: string, facts: Json): Json {
  for (const name of names.split('||').map((one) => one.trim())) {
    const quoted = QUOTED.exec(name)
    const found = quoted ? quoted[2] : readField(facts, name.split('.'))
    if (found !== undefined && found !== null && found !== '') return found
  }
  return null
}
