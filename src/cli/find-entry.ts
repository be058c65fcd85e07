import { statSync } from 'node:fs'
import type { LibraryEntry } from '../library/library-entry.ts'
import { didYouMean } from '../names/nearest-name.ts'

/** A library entry by the path of its folder, or by its slug. Rejects with the nearest slug. */
export async function findEntry(source: string): Promise<LibraryEntry> {
  if (statSync(source, { throwIfNoEntry: false })?.isDirectory()) {
    const { readFolder } = await import('../library/own-entries.ts')
    return readFolder(source)
  }
  const { listEntries, loadEntry } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(source)
  if (entry !== undefined) return entry
  const slugs = (await listEntries()).map(({ slug }) => slug)
  throw new Error(
    `Failed to find the library entry "${source}": there is no folder and no entry of that name.${didYouMean(source, slugs)} There are: ${slugs.join(', ')}.`,
  )
}
