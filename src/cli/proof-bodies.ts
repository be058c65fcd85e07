import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { LibraryEntry } from '../library/library-entry.ts'
import type { Json } from '../protocol/json.ts'
import type { ReceivedWebhook } from '../sink/received-webhook.ts'

/** Records in deliveries that do not fit their collection's schema, a sentence for each type of event. */
export async function unfitBodies(entry: LibraryEntry, received: readonly ReceivedWebhook[]): Promise<string[]> {
  const [{ readDescription }, { checkerOf }] = await Promise.all([
    import('../service/openapi/read-description.ts'),
    import('../schema/checker.ts'),
  ])
  const { collections } = readDescription(entry.openapi)
  const declared = Object.keys(Object(entry.openapi['x-backlot-collections']))
  // A declared collection stores other fields than its events show, unless it declares them.
  const schemas = new Map(
    collections.map(({ name, shownSchema, schema }) => [
      name,
      shownSchema ?? (declared.includes(name) ? undefined : schema),
    ]),
  )
  const sentences = new Map<string, string>()
  for (const { type, data } of received) {
    const schema = schemas.get(data.collection)
    if (schema === undefined || data.object === undefined || data.object === null || sentences.has(type)) continue
    const problem = checkerOf(schema, { direction: 'response' })(data.object as Json)
    if (problem === undefined) continue
    const place = [data.collection, ...problem.path].join('.')
    const got = problem.got === undefined ? 'nothing' : JSON.stringify(problem.got).slice(0, 100)
    sentences.set(
      type,
      `The record of ${type} does not fit: expected \`${place}\` to be ${problem.expected}, got ${got}.`,
    )
  }
  return [...sentences.values()]
}

/** The installed version of the entry's SDK near the folder, and whether it is in the entry's range; undefined without one. */
export function installedSdk(
  { sdk }: Pick<LibraryEntry, 'sdk'>,
  folder: string,
): { readonly version: string; readonly isInRange: boolean } | undefined {
  if (sdk === undefined) return undefined
  const paths = createRequire(join(resolve(folder), 'client.mjs')).resolve.paths(sdk.npm) ?? []
  for (const path of paths) {
    const version = versionIn(join(path, sdk.npm, 'package.json'))
    if (version !== undefined) return { version, isInRange: isInRange(version, sdk.range) }
  }
  return undefined
}

function versionIn(file: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** Whether a version fits all comparators of one of the ranges: `>=23 <24`, `^5 || ^6`. */
function isInRange(version: string, range: string): boolean {
  return range.split('||').some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((comparator) => fits(version, comparator)),
  )
}

function fits(version: string, comparator: string): boolean {
  const [, operator = '', wanted = ''] = /^([<>]=?|[\^~=])?v?(.*)$/.exec(comparator) ?? []
  if (wanted === '*') return true
  const order = version.localeCompare(wanted, 'en', { numeric: true })
  if (operator.startsWith('>')) return order > 0 || (order === 0 && operator === '>=')
  if (operator.startsWith('<')) return order < 0 || (order === 0 && operator === '<=')
  const same = wanted.split('.').slice(0, operator === '^' ? 1 : operator === '~' ? 2 : 3)
  return order >= 0 && `${version}.`.startsWith(`${same.join('.')}.`)
}
