import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import type { FieldPath, Schema } from '../../src/schema/schema.ts'
import type { Effect, Envelope } from '../../src/service/openapi/model.ts'

/** A change sets a different value: the other flag, another enum value. */
export function changeChoices(
  { body: place }: { readonly body: Envelope | undefined },
  {
    record,
    body,
    schema,
  }: { readonly record: JsonObject | undefined; readonly body: Json | undefined; readonly schema: Schema | undefined },
): void {
  const path = place?.path ?? []
  const sent = path.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), body)
  const fields = path.reduce<Schema | undefined>((at, name) => at?.properties.get(name), schema)?.fields
  if (!isJsonObject(sent) || record === undefined) return
  for (const [name, value] of Object.entries(sent)) {
    if (JSON.stringify(value) !== JSON.stringify(record[name])) continue
    const others = fields?.get(name)?.enum?.filter((other) => other !== value && other !== null) ?? []
    if (typeof value === 'boolean') sent[name] = !value
    else if (others.length > 0) sent[name] = others[0] as Json
  }
}

/** A body that deletes or changes a record without an id names an existing record by its fields. */
export function nameByFields({ kind }: Effect, record: JsonObject, sent: Json | undefined): void {
  const body = Array.isArray(sent) ? sent[0] : sent
  if ((kind !== 'bulkDelete' && kind !== 'bulkUpdate') || !isJsonObject(body ?? null)) return
  const fields = body as JsonObject
  const naming = kind === 'bulkDelete' ? Object.keys(fields) : ['key', 'name', 'code', 'slug', 'email']
  for (const name of naming) {
    const value = record[name] ?? inPart(record, name)
    const isKnown = typeof fields[name] === typeof value && textAt({ value: value ?? null }, ['value']) !== undefined
    if (isKnown) fields[name] = value as Json
    if (isKnown && kind === 'bulkUpdate') return
  }
}

/** `role.slug` for `role_slug`. */
function inPart(record: JsonObject, name: string): Json | undefined {
  const parts = Object.entries(record).filter(([part, held]) => name.startsWith(`${part}_`) && isJsonObject(held))
  return parts.map(([part, held]) => (held as JsonObject)[name.slice(part.length + 1)])[0]
}

/** A removed or changed list item is an existing item. */
export function nameMember(
  { sets, keys, body: place }: Extract<Effect, { kind: 'action' }>,
  record: JsonObject | undefined,
  { params, body }: { readonly params: Record<string, string>; readonly body: Json | undefined },
): void {
  for (const { field, to, param } of sets) {
    if (to !== 'removed' && to !== 'item') continue
    const list = field.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), record)
    const [first] = Array.isArray(list) ? list : isJsonObject(list) ? Object.keys(list) : []
    const key = textAt({ first: first ?? null }, ['first']) ?? memberKey(first)
    if (key === undefined) continue
    if (param !== undefined) params[param] = key
    const sent =
      place?.path.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), body) ?? body
    if (param !== undefined || !isJsonObject(sent)) continue
    const own = new Set(keys.map((placed) => placed.param))
    const [only, ...more] = Object.keys(sent).filter((name) => !own.has(name) && typeof sent[name] === 'string')
    if (only !== undefined && more.length === 0) sent[only] = key
  }
}

function memberKey(item: Json | undefined): string | undefined {
  const names = isJsonObject(item) ? Object.keys(item) : []
  const name =
    ['id', 'gid', 'uuid', 'key', 'code', 'name'].find((own) => names.includes(own)) ??
    names.find((own) => /_?id$|Id$|_code$|Code$/.test(own))
  return name === undefined ? undefined : textAt(item, [name])
}

/** Names of fields with several keys. */
export const NAMES_SEVERAL = /(^|[_-])(ids|keys)(\[\])?$|[a-z](Ids|Keys)$/

/** Puts keys of existing records into a body that names several records to change or delete. */
export function nameSeveral(body: Json | undefined, keys: readonly string[], idField: string): void {
  const [first] = keys
  if (first === undefined) return
  for (const list of listsIn(body)) {
    for (const [at, item] of list.entries()) {
      const key = keys[at % keys.length] as string
      if (isJsonObject(item)) {
        const name = Object.keys(item).find((own) => own === idField) ?? Object.keys(item).find((own) => own === 'id')
        if (name !== undefined) item[name] = typeof item[name] === 'number' ? Number(key) : key
      } else list[at] = typeof item === 'number' ? Number(key) : key
    }
    list.length = Math.min(list.length, keys.length)
  }
}

/** The lists of a body that may name records: itself, those called like ids, and those of objects. */
function listsIn(body: Json | undefined): Json[][] {
  if (Array.isArray(body)) return [body]
  if (!isJsonObject(body)) return []
  const lists = Object.entries(body).flatMap(([name, value]) => (Array.isArray(value) ? [{ name, value }] : []))
  const meant = lists.filter(({ name, value }) => NAMES_SEVERAL.test(name) || value.some(isJsonObject))
  return (meant.length > 0 ? meant : lists.length === 1 ? lists : []).map(({ value }) => value)
}

/** A field as text; undefined where it is none. */
export function textAt(record: Json | undefined, path: FieldPath): string | undefined {
  const value = path.reduce<Json | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), record)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
