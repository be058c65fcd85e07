import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Folder of the real descriptions, beside the project; a plain clone does not have it. */
export const DESCRIPTIONS = fileURLToPath(new URL('../../shared/data/openapi/', import.meta.url))

/** Whether the real descriptions are here. Tests that need them are skipped where they are not. */
export const hasDescriptions = existsSync(DESCRIPTIONS)

if (!hasDescriptions) {
  console.warn('Tests on real descriptions are skipped: the folder ../shared/data/openapi is not beside the project.')
}
