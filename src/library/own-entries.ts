import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as z from 'zod'
import { didYouMean } from '../names/nearest-name.ts'
import { slugOf } from '../names/words.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { parseRequest } from '../protocol/parse-request.ts'
import type { SignInFile } from '../protocol/sign-in.ts'
import { checkDocument, ENDINGS, type EntryDocument, readDocument } from './entry-document.ts'
import { ENTRY_FILES, givenEntry, seedFile, wholeEntry } from './entry-files.ts'
import type { GivenEntry, LaidEntry, LibraryEntry } from './library-entry.ts'

type EntryFileName = keyof typeof ENTRY_FILES

/** Files of a folder that only its proof reads. */
const PROOF = ['verify']
/** Endings of its handlers. */
const CODE = ['ts', 'mts', 'js', 'mjs']

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

/** The `entry` of a creation as an entry. Throws `invalid_request` with the first invalid field. */
export function checkGiven(given: unknown): LaidEntry {
  const { behaviour = [], volume = {}, ...entry } = parseRequest(givenEntry, given, 'entry')
  return complete({ ...entry, behaviour: behaviour as LibraryEntry['behaviour'], volume } as GivenEntry, 'own')
}

export interface EntryFolder {
  /** What its files say, without the description and `entry.yaml`'s defaults. */
  readonly given: GivenEntry
  /** The path of its description. */
  readonly openapi: string | undefined
  /** The path of its `handlers.ts`. */
  readonly handlers: string | undefined
}

/**
 * Reads a folder with any of {@link ENTRY_FILES}, each in YAML or JSON, and `seed/<collection>.yaml`. Its description is only found.
 *
 * @throws Error with the file, the line and the fault.
 */
export async function readParts(path: string): Promise<EntryFolder> {
  const folder = resolve(path)
  if (!existsSync(folder))
    throw new Error(`Failed to read the folder "${folder}": there is none. Paths are relative to ${process.cwd()}.`)
  const files = await refuseStrangers(folder)
  const names = (Object.keys(ENTRY_FILES) as EntryFileName[]).filter((name) => name !== 'openapi')
  const documents = await Promise.all(names.map((name) => readChecked(folder, name, ENTRY_FILES[name])))
  const contents = names.map((name, at) => [name, documents[at]?.content] as const)
  const { entry = {}, behaviour, 'sign-in': signIn, ...parts } = Object.fromEntries(contents) as FolderContents
  const seed = await readSeed(folder)
  const rules = Array.isArray(behaviour) ? behaviour : behaviour?.rules
  const given = { ...entry, ...parts, signIn, behaviour: rules, seed }
  const find = (pattern: RegExp) => files.filter((file) => pattern.test(file)).map((file) => join(folder, file))
  const [openapi, second] = find(/^openapi\.(json|ya?ml)$/)
  if (second !== undefined) throw new Error(`Failed to read "${openapi}": "${second}" is there too. Keep one of them.`)
  const [handlers] = find(/^handlers\.(ts|mts|js|mjs)$/)
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { given: Object.fromEntries(known), openapi, handlers }
}

/**
 * Your own library entry: a folder with a description. The slug is the folder's name unless `entry.yaml` has one. An absent plan
 * is derived from the description.
 *
 * @throws Error with the file, the line and the fault.
 */
export async function readFolder(path: string): Promise<LibraryEntry> {
  const { given, openapi: file, handlers } = await readParts(path)
  if (file === undefined && given.signIn === undefined)
    throw new Error(`Failed to read library entry "${path}": it has no openapi.json or openapi.yaml.`)
  const found = await readChecked(resolve(path), 'openapi', ENTRY_FILES.openapi)
  const openapi = (found?.content ?? signInAlone(given)) as JsonObject
  const info = isJsonObject(openapi.info) ? openapi.info : {}
  const { slug = slugOfFolder(resolve(path)) } = given
  const name = textOf(info.title) ?? basename(resolve(path))
  return {
    ...complete({ name, description: textOf(info.description) ?? '', ...given, slug }, slug),
    openapi,
    ...(handlers !== undefined && { handlers: pathToFileURL(handlers).href }),
  }
}

/** The description of a provider that only signs users in. */
const signInAlone = ({ name = '', apiVersion = '1' }: GivenEntry): JsonObject => ({
  openapi: '3.1.0',
  info: { title: name, version: apiVersion },
  paths: {},
})

const complete = (given: GivenEntry, slug: string): LaidEntry => ({
  slug,
  name: given.slug ?? slug,
  provider: 'local',
  vertical: 'local',
  description: '',
  behaviour: [],
  volume: {},
  ...given,
})

/** The validated contents of a folder's files. */
type FolderContents = Omit<GivenEntry, 'behaviour'> & {
  entry?: GivenEntry
  'sign-in'?: SignInFile
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

/** The files of a folder. Refuses unknown ones: one with a misspelt name would have no effect. */
async function refuseStrangers(folder: string): Promise<string[]> {
  const known = [...Object.keys(ENTRY_FILES), ...PROOF]
  const files = await filesOf(folder, [...ENDINGS, ...CODE])
  for (const file of files) {
    const name = file.replace(/\.\w+$/, '')
    if (known.includes(name) || !ENDINGS.some((ending) => file.endsWith(`.${ending}`))) continue
    throw new Error(
      `Failed to read library entry "${folder}": it has a file "${file}", which no entry has.${didYouMean(name, known)} Its files are ${known.join(', ')}, in YAML or JSON, handlers.ts for what operations do, and those of the folder seed.`,
    )
  }
  return files
}

/** The files of a folder with these endings; none for a missing folder. */
async function filesOf(folder: string, endings: readonly string[] = ENDINGS): Promise<string[]> {
  const isDocument = (file: string) => endings.some((ending) => file.endsWith(`.${ending}`))
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
  const slug = slugOf(basename(folder), LIMITS.slugCharacters)
  if (slug) return slug
  throw new Error(`Failed to read library entry "${folder}": its name makes no slug. Give it one in entry.yaml.`)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
