/**
 * The last step of `npm run build`. TypeScript rewrites `./clock.ts` to `./clock.js` in JavaScript but leaves it alone in
 * declarations, where only a project with `allowImportingTsExtensions` would accept it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../dist')
const specifier = /(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue
  const file = join(folder, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace(specifier, '$1$2$3.js$2'))
}
