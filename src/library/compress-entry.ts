import { brotliCompressSync, constants } from 'node:zlib'
import type { Json } from '../protocol/json.ts'
import type { LibraryEntry } from './library-entry.ts'
import { shortenSchemas } from './short-schemas.ts'

/** A window as large as all entries, so that one entry can reuse the words of another; the size of blocks was tried. */
const PARAMS = {
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_LGBLOCK]: 20,
}

/** Entries in the form of the package: one line of JSON each. */
export const compressEntries = (entries: readonly LibraryEntry[]): Buffer =>
  brotliCompressSync(entries.map((entry) => `${shortJson(entry)}\n`).join(''), { params: PARAMS })

/** A single entry, to measure its size. */
export const compressEntry = (entry: LibraryEntry): Buffer => brotliCompressSync(shortJson(entry))

const shortJson = (entry: LibraryEntry): string =>
  JSON.stringify(shortenSchemas(JSON.parse(JSON.stringify(entry)) as Json))
