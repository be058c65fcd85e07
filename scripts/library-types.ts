/** `npm run library-types` writes the types of records and events of the built-in library entries beside them. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TypeWriter } from '../src/cli/type-writer.ts'
import { writeRecordTypes } from '../src/cli/types.ts'
import { listEntries, loadEntry } from '../src/library/built-in-entries.ts'
import { readDescription } from '../src/service/openapi/read-description.ts'
import { ComponentSchemas } from '../src/service/openapi/schemas/component-schemas.ts'

const root = join(import.meta.dirname, '..')
for (const { slug } of await listEntries()) {
  const entry = await loadEntry(slug)
  if (entry === undefined) throw new Error(`Failed to write types: there is no library entry "${slug}".`)
  const writer = new TypeWriter(new ComponentSchemas(entry.openapi))
  const text = writeRecordTypes(readDescription(entry.openapi), writer, entry.webhooks?.events)
  writeFileSync(join(root, 'src/library/types', `${slug}.ts`), text)
}
spawnSync('npx', ['biome', 'format', '--write', 'src/library/types'], { cwd: root, stdio: 'inherit' })
