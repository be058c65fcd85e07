import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { FieldPath, Schema } from '../../src/schema/schema.ts'
import { show } from './http.ts'

/** Fields that the server sets whatever a client sends. */
const SERVER_SET =
  /^(updated|modified|lastmodified|lastupdated?|changed|created|inserted)(at|on|date|time|datetime|timestamp|utc|by)?$|^(date)(created|updated|modified)$|^(update|modify|modification|change|create|creation|insert)(at|on|date|time|datetime|timestamp)$|^(etag|version|revision|resourceversion|generation)$/

/** What a read shows. */
interface View {
  readonly schema: Schema | undefined
  readonly keyNames: ReadonlySet<string>
  /** Place of the key, where that is inside of another field: `metadata.name`. */
  readonly keyPath?: FieldPath | undefined
}

/**
 * A part of what was sent that the read could show by its schema, and that did not come back; undefined when all did. The
 * whole body is compared, objects and arrays too; the key and the times of keeping are the server's business.
 */
export function lostPart(
  sent: Json | undefined,
  kept: Json | undefined,
  { schema, keyNames, keyPath = [] }: View,
  depth = 0,
): string | undefined {
  if (!isJsonObject(sent) || !isJsonObject(kept)) return undefined
  for (const [name, value] of Object.entries(sent)) {
    const shown = schema?.properties.get(name)
    if (!shown || shown.readOnly || shown.writeOnly || SERVER_SET.test(foldName(name))) continue
    if ((depth === 0 && keyNames.has(foldName(name))) || (keyPath.length === 1 && keyPath[0] === name)) continue
    if (value === null || !fits(shown, value)) continue
    const held = kept[name]
    if (isJsonObject(value) && isJsonObject(held)) {
      const inner = lostPart(
        value,
        held,
        { schema: shown, keyNames, keyPath: keyPath[0] === name ? keyPath.slice(1) : [] },
        depth + 1,
      )
      if (inner !== undefined) return `${name}.${inner}`
      continue
    }
    if (holds(held, value, shown)) continue
    return `${name}: sent ${show(value)}, got ${show(held)}`
  }
  return undefined
}

/** Whether a value that is shown has all of what was sent and that its schema can show: objects may have more. */
function holds(held: Json | undefined, sent: Json, schema: Schema | undefined): boolean {
  if (held === sent) return true
  if (Array.isArray(sent)) {
    if (!Array.isArray(held) || held.length !== sent.length) return false
    return sent.every((item, index) => holds(held[index], item, schema?.items))
  }
  if (!isJsonObject(sent) || !isJsonObject(held)) return false
  return Object.entries(sent).every(([name, value]) => {
    const shown = schema?.fields?.get(name)
    if (!shown || shown.readOnly || shown.writeOnly || value === null || SERVER_SET.test(foldName(name))) return true
    return holds(held[name], value, shown)
  })
}
