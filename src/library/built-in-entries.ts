import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { LibraryEntrySummary } from '../protocol/reads.ts'
import type { LibraryEntry } from './library-entry.ts'
import { restoreSchemas } from './short-schemas.ts'
import { summariseEntry } from './summarise-entry.ts'

/** Entries that were asked for: simulations of one entry share what was read of its description, by identity. */
const LOADED = new Map<string, Promise<LibraryEntry>>()

/** The built-in library entries, by slug. None of them is loaded for it once the package is built. */
export async function listEntries(): Promise<LibraryEntrySummary[]> {
  if (!isSource()) return JSON.parse(await readFile(join(builtFolder(), 'index.json'), 'utf8'))
  const slugs = (await readdir(sourceFolder())).toSorted()
  const entries = await Promise.all(slugs.map((slug) => loadEntry(slug)))
  return entries.flatMap((entry) => (entry === undefined ? [] : [summariseEntry(entry)]))
}

/** The built-in entry with this slug; undefined where there is none. */
export async function loadEntry(slug: string): Promise<LibraryEntry | undefined> {
  const path = isSource() ? join(sourceFolder(), slug) : join(builtFolder(), `${slug}.json.br`)
  if (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(slug) || slug === 'index' || !existsSync(path)) return undefined
  const entry = LOADED.get(slug) ?? read(path)
  LOADED.set(slug, entry)
  return entry
}

/** An entry: the JSON of it that the build compressed, in the repository its folder. */
async function read(path: string): Promise<LibraryEntry> {
  if (isSource()) return (await import('./own-entries.ts')).readFolder(path)
  const json = await decompress(await readFile(path))
  return restoreSchemas(JSON.parse(json.toString())) as unknown as LibraryEntry
}

const decompress = promisify(brotliDecompress)

const isSource = (): boolean => import.meta.url.endsWith('.ts')
const sourceFolder = (): string => join(import.meta.dirname, '../../library')
const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('backlot/package.json')), 'dist/library')
