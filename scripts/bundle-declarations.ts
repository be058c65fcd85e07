/**
 * The last step of `npm run build`. TypeScript writes a declaration for each source file; this leaves one for each door of the package and
 * one for each set of types that doors share, without what no door leads to: a third less of the tarball. Lines are not
 * indented: the types of the library's records would be 2 kB more.
 */
import { globSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { rollup } from 'rollup'
import pkg from '../package.json' with { type: 'json' }
import { COMPILER, spellTypes } from './spell-types.ts'

// rollup-plugin-dts works on the compiler's API.
const hooks = registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? COMPILER : specifier, context),
})
const { dts } = await import('rollup-plugin-dts')
hooks.deregister()

const folder = join(import.meta.dirname, '../dist')
const SUFFIX = '.d.ts'

const doors = Object.values(pkg.exports).flatMap((target) => (typeof target === 'string' ? [] : [target.types]))
spellTypes(folder)
const bundle = await rollup({
  input: Object.fromEntries(doors.map((path) => [nameOf(path), join(folder, nameOf(path) + SUFFIX)])),
  external: (id) => !/^[./]|^\w:/.test(id),
  plugins: [dts(), { name: 'narrow', renderChunk: (code) => ({ code: code.replace(/^ +(?!\*)/gm, ''), map: null }) }],
  onwarn(warning) {
    throw new Error(`Failed to bundle the declarations: ${warning.message}`)
  },
})
for (const file of globSync(`**/*${SUFFIX}`, { cwd: folder })) rmSync(join(folder, file))
removeEmpty(folder)
await bundle.write({
  dir: folder,
  entryFileNames: `[name]${SUFFIX}`,
  chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, '')}${SUFFIX}`,
})

/** `./dist/vitest/plugin.d.ts` becomes `vitest/plugin`. */
function nameOf(path: string): string {
  return path.slice('./dist/'.length, -SUFFIX.length)
}

function removeEmpty(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(path, entry.name))
  if (readdirSync(path).length === 0) rmdirSync(path)
}
