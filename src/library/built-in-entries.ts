import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, constants } from 'node:zlib'
import type { LibraryEntrySummary } from '../protocol/reads.ts'
import type { LibraryEntry } from './library-entry.ts'
import { restoreSchemas } from './short-schemas.ts'
import { summariseEntry } from './summarise-entry.ts'

/** Requested entries: simulations of one entry share the parsed description, by identity. */
const LOADED = new Map<string, Promise<LibraryEntry>>()

/** The built-in library entries, by slug. The built package lists them without loading one. */
export async function listEntries(): Promise<LibraryEntrySummary[]> {
  if (!isSource()) return (await builtSummaries()).toSorted((left, right) => (left.slug < right.slug ? -1 : 1))
  const slugs = (await readdir(sourceFolder())).toSorted()
  const entries = await Promise.all(slugs.map((slug) => loadEntry(slug)))
  return entries.flatMap((entry) => (entry === undefined ? [] : [summariseEntry(entry)]))
}

/** The built-in entry with this slug; undefined without one. */
export async function loadEntry(slug: string): Promise<LibraryEntry | undefined> {
  const loaded = LOADED.get(slug)
  if (loaded) return loaded
  const read = isSource() ? await readerOfFolder(slug) : await readerOfLine(slug)
  if (read === undefined) return undefined
  const entry = LOADED.get(slug) ?? read()
  LOADED.set(slug, entry)
  return entry
}

type Reader = () => Promise<LibraryEntry>

/** Reads an entry's folder in the repository. */
async function readerOfFolder(slug: string): Promise<Reader | undefined> {
  const folder = join(sourceFolder(), slug)
  if (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(slug) || !existsSync(folder)) return undefined
  return async () => (await import('./own-entries.ts')).readFolder(folder)
}

/** Reads an entry's line of the file that the build compressed, in the order of the summaries: the shortest entries first. */
async function readerOfLine(slug: string): Promise<Reader | undefined> {
  const place = (await builtSummaries()).findIndex((summary) => summary.slug === slug)
  if (place < 0) return undefined
  return async () => {
    const line = decompressLine(await readFile(join(builtFolder(), 'entries.br')), place)
    return restoreSchemas(JSON.parse(line)) as unknown as LibraryEntry
  }
}

const builtSummaries = async (): Promise<LibraryEntrySummary[]> =>
  JSON.parse(await readFile(join(builtFolder(), 'index.json'), 'utf8'))

const NEW_LINE = 10
/** The shortest entries, which most tests take, are within so many bytes of the compressed file. */
const FIRST_BYTES = 16 * 1024
/** What a beginning of the file holds is no error. */
const CUT = { finishFlush: constants.BROTLI_OPERATION_FLUSH }

/** One line of a compressed text, all of which is decompressed only where its beginning does not hold the line. */
function decompressLine(compressed: Buffer, place: number): string {
  for (const part of [compressed.subarray(0, FIRST_BYTES), compressed]) {
    const line = lineAt(brotliDecompressSync(part, CUT), place)
    if (line !== undefined) return line
  }
  throw new Error('Failed to read the library: the file of its entries is too short. Install the package again.')
}

/** Undefined where the text ends before the line does. */
function lineAt(text: Buffer, place: number): string | undefined {
  let start = 0
  for (let line = 0; ; line++) {
    const end = text.indexOf(NEW_LINE, start)
    if (end === -1 || line === place) return end === -1 ? undefined : text.toString('utf8', start, end)
    start = end + 1
  }
}

const isSource = (): boolean => import.meta.url.endsWith('.ts')
const sourceFolder = (): string => join(import.meta.dirname, '../../library')
const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('backlot/package.json')), 'dist/library')
