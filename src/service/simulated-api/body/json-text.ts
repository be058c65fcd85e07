import type { Json } from '../../../protocol/json.ts'
import { Refusal } from '../refusal.ts'
import { findFault } from './json-fault.ts'

const MAX_DEPTH = 200
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The value of a JSON text. Refuses malformed texts with 400, naming the position, and what is nested too deep. */
export function parseJson(text: string): Json {
  if (text.length > MAX_DEPTH) refuseDepth(text)
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw new Refusal(400, 'invalid_request', `Failed to parse the body as JSON: ${explain(text)}.`, undefined, {
      cause,
    })
  }
}

function explain(text: string): string {
  const position = findFault(text)
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const found = position >= text.length ? 'it ends too early' : `unexpected ${JSON.stringify(text[position])}`
  return `${found} at position ${position} (line ${line}, column ${column})`
}

/** Throws when brackets are nested deeper than any description means. Looks at characters outside of strings alone. */
function refuseDepth(text: string): void {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) {
        throw new Refusal(400, 'invalid_request', `Expected the body to be nested at most ${MAX_DEPTH} deep, got more.`)
      }
    } else if (code === 0x5d || code === 0x7d) depth--
  }
}
