import { isJsonObject, type Json } from '../json.ts'
import { fromPointer } from '../json-pointer.ts'
import { placeholdersOf } from '../template.ts'
import type { WebhookScheme } from './scheme.ts'

/**
 * Alters the body but keeps its shape: changes one digit, else adds a space at the end. Where only some values are
 * signed, changes one of these.
 */
export function tamper({ content = '' }: Pick<WebhookScheme, 'content'>, rawBody: Uint8Array): Uint8Array {
  const pointers = placeholdersOf(content).filter((name) => name.startsWith('/'))
  if (pointers.length > 0) return tamperAt(pointers, rawBody)
  const text = Buffer.from(rawBody).toString('latin1')
  const changed = text.replace(/[0-8]/, (digit) => String(Number(digit) + 1))
  return Buffer.from(changed === text ? `${text} ` : changed, 'latin1')
}

/** Changes the first of these values that the body has. */
function tamperAt(pointers: readonly string[], rawBody: Uint8Array): Uint8Array {
  const body: Json = JSON.parse(Buffer.from(rawBody).toString())
  for (const pointer of pointers) {
    const path = fromPointer(pointer)
    const name = path.pop() ?? ''
    const holder = path.reduce<Json | undefined>(below, body)
    if (!isJsonObject(holder) || holder[name] === undefined) continue
    const value = holder[name]
    holder[name] = typeof value === 'number' ? value + 1 : `${value}0`
    break
  }
  return Buffer.from(JSON.stringify(body))
}

function below(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(name)]
  return isJsonObject(value) ? value[name] : undefined
}
