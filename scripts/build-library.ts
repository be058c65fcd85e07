/** Builds the library: each folder of `library/` becomes one compressed JSON in `dist/library/`, beside the list of all. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressEntry } from '../src/library/compress-entry.ts'
import { readFolder } from '../src/library/own-entries.ts'
import { summariseEntry } from '../src/library/summarise-entry.ts'

/** Writes the entries into `outDir`, in place of what is there. */
export async function buildLibrary(outDir = 'dist/library'): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const slugs = (await readdir('library')).toSorted()
  const entries = await Promise.all(slugs.map((slug) => readFolder(join('library', slug))))
  for (const entry of entries) await writeFile(join(outDir, `${entry.slug}.json.br`), compressEntry(entry))
  await writeFile(join(outDir, 'index.json'), JSON.stringify(entries.map(summariseEntry)))
}

if (import.meta.main) await buildLibrary()
