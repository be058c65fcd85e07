/** `npm run build`: `src/` and `library/` become `dist/`, which the examples find as the package `backlot`. */
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import pkg from '../package.json' with { type: 'json' }
import { buildDeclarations } from './build-declarations.ts'
import { buildLibrary } from './build-library.ts'
import { buildUi } from './build-ui.ts'

process.chdir(join(import.meta.dirname, '..'))

/** The entry points that package.json exports: `vitest/plugin` is `src/vitest/plugin.ts` and becomes `dist/vitest/plugin.js`. */
const entryPoints = Object.values(pkg.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.default.slice('./dist/'.length, -'.js'.length)],
)
/** Dependencies stay packages. zod is bundled: loaded as a package, its many files take 50 ms of a cold start. */
const packages = Object.keys({ ...pkg.dependencies, ...pkg.peerDependencies }).map((name) => RegExp(`^${name}($|/)`))

/**
 * A file takes 0.8 ms of a cold start, whatever its size, and without groups there are 120. So there is one for all that `backlot` loads at
 * once, and two for what a service in the same process adds. A group includes what its modules import.
 */
const groups = [
  { name: 'fixture', test: /[\\/]src[\\/](index\.ts$|runtime[\\/])/ },
  // The schemas of requests alone: those of answers and library entries would take 10 ms more.
  { name: 'requests', test: /[\\/](zod[\\/]|src[\\/]protocol[\\/]requests\.ts$)/ },
  { name: 'simulation-service', test: /[\\/]src[\\/]service[\\/]start\.ts$/ },
]

const output: OutputOptions = {
  dir: 'dist',
  chunkFileNames: '[name].js',
  sourcemap: true,
  minifyInternalExports: false,
  // They are in the source maps, with the source.
  comments: { jsdoc: false },
  plugins: [
    {
      name: 'latin-1',
      // V8 stores a file with any other character in two bytes a character.
      generateBundle(_options, files) {
        for (const file of Object.values(files))
          if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\xff]/g, escapeCharacter)
      },
    },
  ],
}

/** The rest of the command, which `dist/cli.js` loads. */
const program: Plugin = {
  name: 'program',
  resolveId: (id) => (id.endsWith('/program.ts') ? { id: './cli/program.js', external: 'relative' } : null),
}

async function bundle(names: readonly string[], options: OutputOptions, plugins: Plugin[] = []): Promise<void> {
  const input: InputOptions = {
    input: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
    external: packages,
    plugins,
    platform: 'node',
    transform: { target: 'node22' },
    checks: { ineffectiveDynamicImport: false },
  }
  await using build = await rolldown(input)
  await build.write({ ...output, ...options })
}

/** `…` becomes `\u2026`. */
function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Examples name a version of `backlot`, so that a copy of one works anywhere; here that version is this repository. */
function linkExamples(): void {
  mkdirSync('examples/node_modules', { recursive: true })
  rmSync('examples/node_modules/backlot', { force: true })
  const kind = process.platform === 'win32' ? 'junction' : 'dir'
  symlinkSync(join('..', '..'), 'examples/node_modules/backlot', kind)
}

rmSync('dist', { recursive: true, force: true })
await bundle([...entryPoints, 'cli/program'], { codeSplitting: { groups } })
// `backlot serve` loads this file alone in its main thread; the thread for YAML loads the other one.
await bundle(['cli'], { codeSplitting: false }, [program])
await bundle(['service/openapi/yaml-thread'], { codeSplitting: false, entryFileNames: 'yaml-thread.js' })
chmodSync('dist/cli.js', 0o755)
copyFileSync('node_modules/zod/LICENSE', 'dist/zod.LICENSE')
await buildUi()
await buildLibrary()
await buildDeclarations()
linkExamples()
