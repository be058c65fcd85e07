import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import * as z from 'zod'
import { slugOf } from '../names/words.ts'
import { behaviourRequest, behaviourStep } from '../protocol/behaviour.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { parseRequest } from '../protocol/parse-request.ts'
import { SLUG_CHARACTERS, slug, volume } from '../protocol/simulation.ts'
import type { LibraryEntry } from './library-entry.ts'

const entryFile = z.object({
  slug: slug.optional(),
  name: z.string().min(1).optional(),
  provider: z.string().optional(),
  vertical: z.string().optional(),
  description: z.string().optional(),
  volume: volume.optional(),
})

const behaviourRules = behaviourRequest.shape.rules.element.extend({
  steps: z.array(behaviourStep).max(LIMITS.behaviourSteps),
})
const behaviourFile = z.union([
  z.array(behaviourRules).max(LIMITS.behaviourRules),
  z.object({ rules: z.array(behaviourRules).max(LIMITS.behaviourRules) }).transform(({ rules }) => rules),
])

/** An entry as `startService({ library })` takes it. */
const wholeEntry = z.strictObject({
  slug,
  name: z.string().min(1),
  provider: z.string(),
  vertical: z.string(),
  description: z.string(),
  openapi: z.record(z.string(), z.unknown()),
  behaviour: z.array(behaviourRules).max(LIMITS.behaviourRules),
  volume,
})

const ENDINGS = ['json', 'yaml', 'yml']

/**
 * A library entry that code has made, checked.
 *
 * @param subject what a message calls the entry: `library[0]`.
 * @throws {@link ApiError} `invalid_request` that names the first field that is missing or wrong.
 */
export function checkEntry(entry: LibraryEntry, subject: string): LibraryEntry {
  const { behaviour, volume } = parseRequest(wholeEntry, entry, subject)
  return { ...entry, behaviour: behaviour as LibraryEntry['behaviour'], volume }
}

/**
 * A library entry of your own: a folder with `openapi.json` (or `.yaml`) and, where wanted, `behaviour.json` (the plan) and `entry.json`
 * (`slug`, `name`, `provider`, `vertical`, `description`, `volume`). The slug is the folder's name unless `entry.json` has one.
 * An absent plan is derived from the description.
 *
 * @throws Error naming the file and what is wrong with it.
 */
export async function readFolder(path: string): Promise<LibraryEntry> {
  const folder = resolve(path)
  const [openapi, entry, behaviour] = await Promise.all([
    readDocument(folder, 'openapi'),
    readDocument(folder, 'entry'),
    readDocument(folder, 'behaviour'),
  ])
  if (!openapi) throw new Error(`Failed to read library entry "${path}": it has no openapi.json or openapi.yaml.`)
  if (!isJsonObject(openapi.content))
    throw new Error(`Expected "${openapi.file}" to hold an object, got something else.`)
  const given = parseFile(entryFile, entry, {})
  const info = isJsonObject(openapi.content.info) ? openapi.content.info : {}
  return {
    slug: given.slug ?? slugOfFolder(folder),
    name: given.name ?? textOf(info.title) ?? basename(folder),
    provider: given.provider ?? 'local',
    vertical: given.vertical ?? 'local',
    description: given.description ?? textOf(info.description) ?? '',
    openapi: openapi.content as JsonObject,
    behaviour: parseFile(behaviourFile, behaviour, []) as LibraryEntry['behaviour'],
    volume: given.volume ?? {},
  }
}

interface Document {
  file: string
  content: unknown
}

/** The first of `<name>.json`, `.yaml`, `.yml` that is there. */
async function readDocument(folder: string, name: string): Promise<Document | undefined> {
  for (const ending of ENDINGS) {
    const file = join(folder, `${name}.${ending}`)
    const text = await readIfThere(file)
    if (text === undefined) continue
    try {
      return { file, content: ending === 'json' ? JSON.parse(text) : (await import('js-yaml')).load(text) }
    } catch (cause) {
      throw new Error(`Failed to read "${file}": ${(cause as Error).message}`, { cause })
    }
  }
  return undefined
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`Failed to read "${file}": ${(cause as Error).message}`, { cause })
  }
}

function parseFile<S extends z.ZodType>(schema: S, document: Document | undefined, absent: z.input<S>): z.output<S> {
  if (!document) return schema.parse(absent)
  try {
    return parseRequest(schema, document.content, 'the file')
  } catch (cause) {
    throw new Error(`Failed to read "${document.file}": ${(cause as Error).message}`, { cause })
  }
}

/** The folder's name as a slug: `My API` is `my-api`. */
function slugOfFolder(folder: string): string {
  const slug = slugOf(basename(folder), SLUG_CHARACTERS)
  if (slug) return slug
  throw new Error(`Failed to read library entry "${folder}": its name makes no slug. Give it one in entry.json.`)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
