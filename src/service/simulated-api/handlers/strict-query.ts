import { getOwn } from '../../../protocol/json.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { isGivenCursor } from '../listing/page.ts'
import { Refusal } from '../refusal.ts'

/** Refuses queries for which the entry has an error: an undeclared parameter, a cursor without a record. */
export function checkQuery(setting: Setting, call: ApiCall, book: EntryEffects): void {
  if (book.refusesUnknown) refuseUndeclared(call)
  if (book.refusesStrangers) refuseStrangeCursor(setting, call)
}

function refuseUndeclared({ compiled, query }: ApiCall): void {
  const declared = new Set(compiled.queryParameters.map(({ name }) => name.replace(/\[.*$/, '')))
  const names = Object.keys(query.values).filter((name) => !/^expand(?:\[|$)/.test(name))
  const unknown = names.find((name) => !declared.has(name.replace(/\[.*$/, '')))
  if (unknown === undefined) return
  throw new Refusal(400, 'invalid_request', `Expected no parameter "${unknown}" in the query.`, unknown, {
    facts: { fault: 'unknown' },
  })
}

function refuseStrangeCursor({ world }: Setting, { operation, query }: ApiCall): void {
  const { effect } = operation
  if (effect.kind !== 'list') return
  const view = world.collection(effect.collection)
  for (const name of [effect.paging.after, effect.paging.before]) {
    const text = name === undefined ? undefined : getOwn(query.values, name)
    // Our cursors are not keys of records.
    if (name === undefined || typeof text !== 'string' || text === '' || view.has(text)) continue
    if (isGivenCursor(text)) continue
    const { singular } = view.model
    throw new Refusal(400, 'missing_reference', `Failed to find ${singular} "${text}".`, name, {
      facts: { singular, collection: effect.collection, id: text },
    })
  }
}
