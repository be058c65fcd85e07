import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { jsonOf } from '../exchange.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { operate } from '../operations/operate.ts'
import { Refusal } from '../refusal.ts'
import { Expander, expansionsOf } from './expand.ts'
import { type HandledRequest, runHandlers } from './run-handlers.ts'

/** Calls the handlers of an operation, or does what the model says; with the entry's references and expansions. */
export function performInEntry(request: HandledRequest, effects: EntryEffects): Answered {
  const { setting, call, draft, links } = request
  if (call.operation.method !== 'GET') checkReferences(setting, call, effects)
  const answered = links.length === 0 ? operate(setting, call) : runHandlers(request)
  const paths = expansionsOf(call)
  const shown = paths.length === 0 ? undefined : jsonOf(answered.response)
  if (shown === undefined) return answered
  if (links.length === 0) draft.take(answered.changes)
  const expander = new Expander(setting, draft, effects)
  const body = paths.reduce((value, path) => expander.expand(value, path), shown)
  return { ...answered, response: { ...answered.response, body: JSON.stringify(body) } }
}

/** Refuses a reference to a missing record. */
function checkReferences(setting: Setting, { body }: ApiCall, effects: EntryEffects): void {
  if (effects.references.size === 0 || body.value === undefined) return
  for (const { name, path, id } of referencesIn(body.value, [])) {
    const collection = effects.references.get(name)
    if (collection === undefined || id === '') continue
    const view = setting.world.collection(collection)
    if (view.findIn(id, []) !== undefined) continue
    const { singular } = view.model
    throw new Refusal(400, 'missing_reference', `Failed to find ${singular} "${id}".`, path.join('.'), {
      facts: { singular, collection, id },
    })
  }
}

function* referencesIn(
  value: Json,
  path: readonly string[],
): Generator<{ name: string; path: readonly string[]; id: string }> {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* referencesIn(item, [...path, String(at)])
  else if (isJsonObject(value)) {
    for (const [name, below] of Object.entries(value)) {
      if (name === 'metadata') continue
      const here = [...path, name]
      if (typeof below === 'string') yield { name, path: here, id: below }
      else yield* referencesIn(below, here)
    }
  }
}
