/**
 * The last step of `npm run build`. TypeScript rewrites `./clock.ts` to `./clock.js` in JavaScript but leaves it alone in
 * declarations, where only a project with `allowImportingTsExtensions` would accept it. Declarations that no door leads to go.
 */
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import pkg from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist')
const specifier = /(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g

const reached = new Set<string>()
for (const door of Object.values(pkg.exports)) if (typeof door !== 'string') reach(resolve(root, door.types))

for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(parentPath, name)
  if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
}
removeEmpty(folder)

/** Rewrites a declaration and those that it imports. */
function reach(file: string): void {
  if (reached.has(file)) return
  reached.add(file)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(specifier, '$1$2$3.js$2'))
  for (const [, , , path = ''] of text.matchAll(specifier)) reach(resolve(dirname(file), `${path}.d.ts`))
}

function removeEmpty(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(path, entry.name))
  if (readdirSync(path).length === 0) rmdirSync(path)
}
