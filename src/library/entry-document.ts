import { join } from 'node:path'
import type * as z from 'zod'
import { invalidRequest } from '../protocol/errors.ts'
import { explainFaults, listFaults } from '../protocol/parse-request.ts'
import { readTextFile } from '../runtime/read-text-file.ts'

/** Endings of an entry's files, in order of preference. */
export const ENDINGS = ['json', 'yaml', 'yml'] as const

/** One parsed file of a library entry. */
export interface EntryDocument {
  /** Its path. */
  readonly file: string
  readonly text: string
  readonly content: unknown
}

/** The first of `<name>.json`, `.yaml`, `.yml` in a folder. Rejects where there are two, and where one cannot be read. */
export async function readDocument(folder: string, name: string): Promise<EntryDocument | undefined> {
  const files = ENDINGS.map((ending) => join(folder, `${name}.${ending}`))
  const texts = await Promise.all(files.map(readIfThere))
  const found = files.flatMap((file, at) => (texts[at] === undefined ? [] : [{ file, text: texts[at] }]))
  const [first, second] = found
  if (first === undefined) return undefined
  if (second !== undefined)
    throw new Error(`Failed to read "${first.file}": "${second.file}" is there too. Keep one of them.`)
  return { ...first, content: await parse(first.file, first.text) }
}

/**
 * Validates a file against the schema of its kind. Throws an Error with the file and the line of each fault, its field
 * and its bound.
 */
export async function checkDocument(schema: z.ZodType, { file, text, content }: EntryDocument): Promise<void> {
  const { error } = schema.safeParse(content)
  if (error === undefined) return
  const faults = listFaults(schema, content, error, 'the file').map(
    async ({ path, message }) => `Failed to read "${file}", line ${await lineOf(text, path)}: ${message}`,
  )
  const message = explainFaults(schema, content, error, 'the file')
  throw new Error((await Promise.all(faults)).join('\n'), { cause: invalidRequest(message, error) })
}

async function parse(file: string, text: string): Promise<unknown> {
  try {
    return file.endsWith('.json') ? JSON.parse(text) : (await import('js-yaml')).load(text)
  } catch (cause) {
    throw new Error(`Failed to read "${file}": ${(cause as Error).message}`, { cause })
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`Failed to read "${file}": ${(cause as Error).message}`, { cause })
  }
}

/** The line, from 1, of the value at a path: of the last part of the path that the text has. JSON is YAML too. */
export async function lineOf(text: string, path: readonly PropertyKey[]): Promise<number> {
  const { EVENT_ID, getScalarValue, parseEvents } = await import('js-yaml')
  const events = parseEvents(text, {})
  const startOf = (at: number): number => {
    const event = events[at]
    if (event?.type === EVENT_ID.SCALAR) return event.valueStart
    return event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE ? event.start : 0
  }
  const after = (at: number): number => {
    const type = events[at]?.type
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return at + 1
    let next = at + 1
    while (next < events.length && events[next]?.type !== EVENT_ID.POP) next = after(next)
    return next + 1
  }
  /** Where the child of a node begins: its key and its value. */
  const childOf = (at: number, key: PropertyKey): { shown: number; at: number } | undefined => {
    const isMapping = events[at]?.type === EVENT_ID.MAPPING
    if (!isMapping && events[at]?.type !== EVENT_ID.SEQUENCE) return undefined
    let next = at + 1
    for (let count = 0; next < events.length && events[next]?.type !== EVENT_ID.POP; count++) {
      const event = events[next]
      const value = isMapping ? after(next) : next
      const name = isMapping && event?.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : count
      if (String(name) === String(key)) return { shown: startOf(next), at: value }
      next = after(value)
    }
    return undefined
  }
  let found = { shown: startOf(1), at: 1 }
  for (const key of path) {
    const child = childOf(found.at, key)
    if (child === undefined) break
    found = child
  }
  return text.slice(0, found.shown).split('\n').length
}
