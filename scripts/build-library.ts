/** Builds the library: the folders of `library/` become one compressed file in `dist/library/`, a line of JSON each, beside the list of all. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressEntries } from '../src/library/compress-entry.ts'
import { readFolder } from '../src/library/own-entries.ts'
import { summariseEntry } from '../src/library/summarise-entry.ts'

/** Replaces the contents of `outDir` with the entries. */
export async function buildLibrary(outDir = 'dist/library'): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const slugs = (await readdir('library')).toSorted()
  const entries = await Promise.all(slugs.map((slug) => readFolder(join('library', slug))))
  // A read of an entry also decompresses the entries before it.
  entries.sort((left, right) => JSON.stringify(left).length - JSON.stringify(right).length)
  await writeFile(join(outDir, 'entries.br'), compressEntries(entries))
  await writeFile(join(outDir, 'index.json'), JSON.stringify(entries.map(summariseEntry)))
}

if (import.meta.main) await buildLibrary()
