import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { LibraryEntrySummary } from '../protocol/reads.ts'
import type { BuiltInEntry } from './library-entry.ts'
import { summariseEntry } from './library-entry.ts'

/** Requested entries: simulations of one entry share the parsed description, by identity. */
const LOADED = new Map<string, Promise<BuiltInEntry>>()

/** The built-in library entries, by slug. The built package lists them without loading one. */
export async function listEntries(): Promise<LibraryEntrySummary[]> {
  if (!isSource()) return (await builtSummaries()).toSorted((left, right) => (left.slug < right.slug ? -1 : 1))
  const slugs = (await readdir(sourceFolder())).toSorted()
  const entries = await Promise.all(slugs.map((slug) => loadEntry(slug)))
  return entries.flatMap((entry) => (entry === undefined ? [] : [summariseEntry(entry)]))
}

export async function loadEntry(slug: string): Promise<BuiltInEntry | undefined> {
  const loaded = LOADED.get(slug)
  if (loaded) return loaded
  const read = isSource() ? await readerOfFolder(slug) : await readerOfFile(slug)
  if (read === undefined) return undefined
  const entry = LOADED.get(slug) ?? read()
  LOADED.set(slug, entry)
  return entry
}

type Reader = () => Promise<BuiltInEntry>

/** The address of a built-in entry's handlers in a creation: the same in every installation. */
const HANDLERS = 'library:'

/** The file URL of an entry's handlers: of `library:<slug>` in this installation. */
export function fileOfHandlers(address: string): string {
  if (!address.startsWith(HANDLERS)) return address
  const slug = address.slice(HANDLERS.length)
  return pathToFileURL(isSource() ? join(sourceFolder(), slug, 'handlers.ts') : join(builtFolder(), `${slug}.js`)).href
}

/** Reads an entry's folder in the repository. */
async function readerOfFolder(slug: string): Promise<Reader | undefined> {
  const folder = join(sourceFolder(), slug)
  if (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(slug) || !existsSync(join(folder, 'entry.yaml'))) return undefined
  return async () => {
    const { handlers, ...entry } = await (await import('./own-entries.ts')).readFolder(folder)
    return { ...entry, ...(handlers !== undefined && { handlers: HANDLERS + slug }) }
  }
}

/** Reads an entry's file, which the build wrote with its model. */
async function readerOfFile(slug: string): Promise<Reader | undefined> {
  if (!(await builtSummaries()).some((summary) => summary.slug === slug)) return undefined
  const file = join(builtFolder(), `${slug}.json.br`)
  return async () => JSON.parse(brotliDecompressSync(await readFile(file)).toString('latin1'))
}

const builtSummaries = async (): Promise<LibraryEntrySummary[]> =>
  JSON.parse(await readFile(join(builtFolder(), 'index.json'), 'utf8'))

const isSource = (): boolean => import.meta.url.endsWith('.ts')
const sourceFolder = (): string => join(import.meta.dirname, '../../library')
const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('backlot/package.json')), 'dist/library')
