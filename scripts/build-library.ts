/**
 * Builds the library: each folder of `library/` becomes a file in `dist/library/`, with its model, beside the list of all. Its
 * `handlers.ts` becomes a module there, with the modules that it imports.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'esbuild'
import type { BuiltInEntry, LibraryEntry } from '../src/library/library-entry.ts'
import { summariseEntry } from '../src/library/library-entry.ts'
import { readFolder } from '../src/library/own-entries.ts'
import { withSignInFile } from '../src/protocol/sign-in.ts'
import { createDataset } from '../src/service/dataset/create-dataset.ts'
import { toEntryParts } from '../src/service/management/entry-parts.ts'
import { readDescription } from '../src/service/openapi/read-description.ts'
import { toModelDocument } from '../src/service/openapi/write-model.ts'
import { Blueprint } from '../src/service/simulation/origin/blueprint.ts'

const compress = promisify(brotliCompress)

/** Replaces the contents of `outDir` with the entries. */
export async function buildLibrary(outDir = 'dist/library'): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  const slugs = (await readdir('library')).filter((slug) => existsSync(join('library', slug, 'entry.yaml'))).toSorted()
  const entries = await Promise.all(slugs.map((slug) => readFolder(join('library', slug))))
  for (const { handlers, ...entry } of entries) {
    const own = handlers === undefined ? {} : (await import(handlers)).default
    const compiled = {
      ...(await compile(entry, Object.keys(own))),
      ...(handlers !== undefined && { handlers: `library:${entry.slug}` }),
    }
    // An entry repeats itself over more than the 32 kB that the tarball's own compression looks back.
    const options = { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } }
    await writeFile(join(outDir, `${entry.slug}.json.br`), await compress(inAscii(JSON.stringify(compiled)), options))
  }
  await compileHandlers(entries, outDir)
  await writeFile(join(outDir, 'index.json'), JSON.stringify(entries.map(summariseEntry)))
}

/** A text of bytes of one character each is read twice as fast. */
const inAscii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Adds what a process would compute before its first answer. Throws for settings, seed records and steps of the plan that do not fit the description. */
async function compile(entry: LibraryEntry, handlers: readonly string[]): Promise<BuiltInEntry> {
  // Without the objects that the parts of a description share in YAML.
  const plain: LibraryEntry = JSON.parse(JSON.stringify(entry))
  const model = readDescription(withSignInFile(plain.openapi, plain.signIn))
  const { entryRows, apiWebhooks } = await toEntryParts(plain)
  const blueprint = new Blueprint(model)
  if (entryRows !== undefined) blueprint.bookOf(entryRows)
  const { plan, dropped } = blueprint.startingPlan(plain.behaviour, handlers)
  if (dropped.length > 0) throw new Error(`Failed to build library entry "${entry.slug}": ${dropped.join(' ')}`)
  const { seeds } = blueprint
  const seedRecords = seeds.prepare(plain.seed ?? {}, Date.now())
  seeds.check(seedRecords, createDataset(blueprint.api.model, { seed: '', epoch: Date.now(), volume: {}, seedRecords }))
  const format = apiWebhooks && { format: apiWebhooks.format }
  return { ...plain, compiled: { model: toModelDocument(model), ...format, plan } }
}

/** In one build, so that what several entries import is one module beside them. */
const compileHandlers = (entries: readonly LibraryEntry[], outdir: string): Promise<unknown> =>
  build({
    entryPoints: entries.flatMap(({ slug, handlers }) =>
      handlers === undefined ? [] : [{ in: fileURLToPath(handlers), out: slug }],
    ),
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    charset: 'ascii',
    sourcemap: true,
    sourcesContent: true,
  })

if (import.meta.main) await buildLibrary()
