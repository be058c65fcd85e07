import type { Json } from '../../../protocol/json.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import type { RecordTest } from '../listing/search-query.ts'
import { Draft } from '../records/draft.ts'
import { holds, toValuesTest } from './evaluate.ts'
import { requestOf } from './request-facts.ts'

/** The remaining parameters, and the test from the entry's rows. */
interface NarrowedList {
  readonly values: Readonly<Record<string, Json>>
  readonly matches: RecordTest | undefined
}

/** The entry's filters of a list; undefined without any. */
export function narrowList(setting: Setting, call: ApiCall, book: EntryEffects): NarrowedList | undefined {
  const rows = book.effectOf(call.operation)?.list
  if (rows === undefined) return undefined
  const scope = {
    draft: new Draft(setting.world, call.at, []),
    names: { request: requestOf(call, book), entry: book.facts },
    views: book.views,
    at: call.at,
    seed: setting.seed,
    operators: setting.operators,
  }
  const fitting = rows.filter(({ when }) => holds(when, scope))
  const taken = new Set(fitting.flatMap(({ takes = [] }) => takes))
  const tests = fitting.flatMap(({ where }) => (where === undefined ? [] : [toValuesTest(where, scope)]))
  return {
    values: Object.fromEntries(Object.entries(call.query.values).filter(([name]) => !taken.has(name))),
    matches: tests.length === 0 ? undefined : (record) => tests.every((test) => test(record)),
  }
}
