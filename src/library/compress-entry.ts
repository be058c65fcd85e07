import { brotliCompressSync } from 'node:zlib'
import type { Json } from '../protocol/json.ts'
import type { LibraryEntry } from './library-entry.ts'
import { shortenSchemas } from './short-schemas.ts'

/** An entry as the package ships it. */
export const compressEntry = (entry: LibraryEntry): Buffer =>
  brotliCompressSync(JSON.stringify(shortenSchemas(JSON.parse(JSON.stringify(entry)) as Json)))
