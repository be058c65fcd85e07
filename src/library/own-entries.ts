import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type * as z from 'zod'
import { didYouMean } from '../names/nearest-name.ts'
import { slugOf } from '../names/words.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { parseRequest } from '../protocol/parse-request.ts'
import { SLUG_CHARACTERS } from '../protocol/simulation.ts'
import { checkDocument, ENDINGS, type EntryDocument, readDocument } from './entry-document.ts'
import { ENTRY_FILES, seedFile, wholeEntry } from './entry-files.ts'
import type { LibraryEntry } from './library-entry.ts'

type EntryFileName = keyof typeof ENTRY_FILES

/** Files of a folder that only its proof reads. */
const PROOF = ['verify']

/**
 * Validates a library entry made by code.
 *
 * @param subject the entry's name in messages: `library[0]`.
 * @throws {@link ApiError} `invalid_request` with the first missing or invalid field.
 */
export function checkEntry(entry: LibraryEntry, subject: string): LibraryEntry {
  const { behaviour, volume } = parseRequest(wholeEntry, entry, subject)
  return { ...entry, behaviour: behaviour as LibraryEntry['behaviour'], volume }
}

/**
 * Your own library entry: a folder with `openapi.yaml` and, if needed, the other files of {@link ENTRY_FILES}, each in
 * YAML or JSON, and `seed/<collection>.yaml`. The slug is the folder's name unless `entry.yaml` has one. An absent plan
 * is derived from the description.
 *
 * @throws Error with the file, the line and the fault.
 */
export async function readFolder(path: string): Promise<LibraryEntry> {
  const folder = resolve(path)
  await refuseStrangers(folder)
  const names = Object.keys(ENTRY_FILES) as EntryFileName[]
  const documents = await Promise.all(names.map((name) => readChecked(folder, name, ENTRY_FILES[name])))
  const contents = Object.fromEntries(names.map((name, at) => [name, documents[at]?.content]))
  if (contents.openapi === undefined)
    throw new Error(`Failed to read library entry "${path}": it has no openapi.json or openapi.yaml.`)
  const { openapi, entry: given = {}, behaviour = [], ...parts } = contents as FolderContents
  const info = isJsonObject(openapi.info) ? openapi.info : {}
  const seed = await readSeed(folder)
  return {
    ...given,
    slug: given.slug ?? slugOfFolder(folder),
    name: given.name ?? textOf(info.title) ?? basename(folder),
    provider: given.provider ?? 'local',
    vertical: given.vertical ?? 'local',
    description: given.description ?? textOf(info.description) ?? '',
    openapi,
    behaviour: Array.isArray(behaviour) ? behaviour : behaviour.rules,
    volume: given.volume ?? {},
    ...Object.fromEntries(Object.entries(parts).filter(([, content]) => content !== undefined)),
    ...(seed !== undefined && { seed }),
  }
}

/** The validated contents of a folder's files. */
type FolderContents = Pick<LibraryEntry, 'openapi'> &
  Partial<Omit<LibraryEntry, 'openapi' | 'behaviour'>> & {
    entry?: Partial<LibraryEntry>
    behaviour?: LibraryEntry['behaviour'] | { rules: LibraryEntry['behaviour'] }
  }

async function readChecked(folder: string, name: string, schema: z.ZodType): Promise<EntryDocument | undefined> {
  const document = await readDocument(folder, name)
  if (document !== undefined) await checkDocument(schema, document)
  return document
}

/** Seed records, which are always there: `seed/customers.yaml`. */
async function readSeed(folder: string): Promise<LibraryEntry['seed']> {
  const names = [...new Set((await filesOf(join(folder, 'seed'))).map((file) => file.replace(/\.\w+$/, '')))]
  if (names.length === 0) return undefined
  const documents = await Promise.all(names.map((name) => readChecked(join(folder, 'seed'), name, seedFile)))
  return Object.fromEntries(names.map((name, at) => [name, documents[at]?.content as JsonObject[]]))
}

/** Refuses unknown files: one with a misspelt name would have no effect. */
async function refuseStrangers(folder: string): Promise<void> {
  const known = [...Object.keys(ENTRY_FILES), ...PROOF]
  for (const file of await filesOf(folder)) {
    const name = file.replace(/\.\w+$/, '')
    if (known.includes(name)) continue
    throw new Error(
      `Failed to read library entry "${folder}": it has a file "${file}", which no entry has.${didYouMean(name, known)} Its files are ${known.join(', ')}, in YAML or JSON, and those of the folder seed.`,
    )
  }
}

/** The YAML and JSON files of a folder; none for a missing folder. */
async function filesOf(folder: string): Promise<string[]> {
  const isDocument = (file: string) => ENDINGS.some((ending) => file.endsWith(`.${ending}`))
  try {
    return (await readdir(folder)).filter(isDocument).toSorted()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    const next = code === 'ENOTDIR' ? 'It has to be a folder.' : 'Let this user read it.'
    throw new Error(`Failed to read the folder "${folder}" of a library entry: ${code}. ${next}`, { cause })
  }
}

/** The folder's name as a slug: `My API` is `my-api`. */
function slugOfFolder(folder: string): string {
  const slug = slugOf(basename(folder), SLUG_CHARACTERS)
  if (slug) return slug
  throw new Error(`Failed to read library entry "${folder}": its name makes no slug. Give it one in entry.yaml.`)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
