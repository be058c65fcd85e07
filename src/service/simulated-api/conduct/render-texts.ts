import { isJsonObject, type Json, readField } from '../../../protocol/json.ts'

const PLACE = /\{\{\{([^{}|]*)(?:\|([^{}]*))?\}\}\}|\{\{([^{}]*)\}\}/g
const QUOTED = /^(['"])(.*)\1$/

/**
 * A value with facts in the places of its texts: `{{user.id}}`, or the first that is there of `{{user.name || 'Guest'}}`
 * and of `{{{user.name|Guest}}}`.
 */
export function renderTexts(value: Json, facts: Json): Json {
  if (Array.isArray(value)) return value.map((item) => renderTexts(item, facts))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renderTexts(item, facts)]))
  if (typeof value !== 'string') return value
  const whole = /^\{\{([^{}]*)\}\}$/.exec(value)
  if (whole) return lookUp(whole[1] ?? '', facts)
  return value.replace(PLACE, (_, name: string | undefined, other = '', names = '') => {
    const found = lookUp(name ?? names, facts)
    if (found === null) return other
    return typeof found === 'object' ? JSON.stringify(found) : String(found)
  })
}

function lookUp(names: string, facts: Json): Json {
  for (const name of names.split('||').map((one) => one.trim())) {
    const quoted = QUOTED.exec(name)
    const found = quoted ? quoted[2] : readField(facts, name.split('.'))
    if (found !== undefined && found !== null && found !== '') return found
  }
  return null
}
