import { brotliCompressSync, constants } from 'node:zlib'
import type { Json } from '../protocol/json.ts'
import type { LibraryEntry } from './library-entry.ts'
import { shortenSchemas } from './short-schemas.ts'

/** A window as large as all entries: one is written with words that another has said. */
const PARAMS = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }

/** Entries as the package ships them: a line of JSON each. */
export const compressEntries = (entries: readonly LibraryEntry[]): Buffer =>
  brotliCompressSync(entries.map((entry) => `${shortJson(entry)}\n`).join(''), { params: PARAMS })

/** An entry alone, to tell what it takes. */
export const compressEntry = (entry: LibraryEntry): Buffer => brotliCompressSync(shortJson(entry))

const shortJson = (entry: LibraryEntry): string =>
  JSON.stringify(shortenSchemas(JSON.parse(JSON.stringify(entry)) as Json))
