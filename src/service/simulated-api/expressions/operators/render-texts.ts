import { isJsonObject, type Json, readField } from '../../../../protocol/json.ts'
import { sizeOf } from '../../../../protocol/size-of.ts'

const PLACE = /\{\{\{([^{}|]*)(?:\|([^{}]*))?\}\}\}|\{\{([^{}]*)\}\}/g
const QUOTED = /^(['"])(.*)\1$/

/** Most characters of a filled text: it may use a fact of 1 MB a million times. */
const MOST_FILLED = 2_000_000

/** Remaining room for a text. Each part takes some, so that empty parts are bounded too. */
export class FilledRoom {
  #left = MOST_FILLED

  get isFull(): boolean {
    return this.#left <= 0
  }

  /** Whether a value fits. Takes its room. */
  hasRoomFor(value: Json): boolean {
    this.#left -= sizeOf(value)
    return this.#left > 0
  }

  /** The part of a text that fits. */
  take(text: string): string {
    const taken = text.length <= this.#left ? text : text.slice(0, Math.max(0, this.#left))
    this.#left -= taken.length + 1
    return taken
  }
}

/**
 * Fills facts into the texts of a value: `{{user.id}}`, or the first existing one of `{{user.name || 'Guest'}}` and of
 * `{{{user.name|Guest}}}`.
 */
export function renderTexts(value: Json, facts: Json, room: FilledRoom = new FilledRoom()): Json {
  if (Array.isArray(value)) return value.map((item) => renderTexts(item, facts, room))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renderTexts(item, facts, room)]))
  if (typeof value !== 'string') return value
  const whole = /^\{\{([^{}]*)\}\}$/.exec(value)
  if (whole) {
    const found = lookUp(whole[1] ?? '', facts)
    return room.hasRoomFor(found) ? found : null
  }
  return value.replace(PLACE, (_, name: string | undefined, other = '', names = '') => {
    if (room.isFull) return ''
    const found = lookUp(name ?? names, facts)
    if (found === null) return room.take(other)
    return room.take(typeof found === 'object' ? JSON.stringify(found) : String(found))
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
