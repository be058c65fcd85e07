import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TypeWriter } from '../../src/cli/type-writer.ts'
import { writeRecordTypes } from '../../src/cli/types.ts'
import { listEntries, loadEntry } from '../../src/library/built-in-entries.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { ComponentSchemas } from '../../src/service/openapi/schemas/component-schemas.ts'

/** A text without what a formatter may change. */
const bare = (text: string): string => text.replaceAll(/["'\s;,()|]/g, '')

it.each((await listEntries()).map(({ slug }) => slug))(
  'has the types of %s as `npm run library-types` writes them',
  async (slug) => {
    const entry = await loadEntry(slug)
    const kept = readFileSync(join(import.meta.dirname, '../../src/library/types', `${slug}.ts`), 'utf8')

    const document = entry?.openapi ?? {}
    const writer = new TypeWriter(new ComponentSchemas(document))
    expect(bare(kept)).toBe(bare(writeRecordTypes(readDescription(document), writer, entry?.webhooks?.events)))
  },
)
