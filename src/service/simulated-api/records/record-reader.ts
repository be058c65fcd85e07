import type { ReadRecords, RecordReader, RecordTest } from '../../../protocol/handler.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Draft } from './draft.ts'

/** The records of a draft, for operators of an entry. */
export function readerOf(draft: Draft): RecordReader {
  const recordsOf = (name: string): ReadRecords => {
    const select = (test: RecordTest<JsonObject> = {}, most = Number.POSITIVE_INFINITY): JsonObject[] => {
      const matches = typeof test === 'function' ? { matches: test } : {}
      return draft.select(name, testsOf(test), { ...matches, most }).map(({ record }) => record)
    }
    return {
      get: (id) => draft.get(name, String(isJsonObject(id) ? id.id : id)),
      find: (test) => select(test, 1)[0],
      where: (test) => select(test),
      some: (test) => select(test, 1).length > 0,
      count: (test) => (typeof test === 'function' ? select(test).length : draft.count(name, testsOf(test))),
      [Symbol.iterator]: () => select()[Symbol.iterator](),
    }
  }
  return { records: new Proxy({}, { get: (_, name) => recordsOf(String(name)) }) }
}

const testsOf = (test: RecordTest<JsonObject> = {}) =>
  typeof test === 'function'
    ? []
    : Object.entries(test).map(([field, wanted]) => ({
        path: field.split('.'),
        test: (value: Json | undefined) => value === wanted || JSON.stringify(value ?? null) === JSON.stringify(wanted),
      }))
