import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { build as bundle, type Plugin } from 'esbuild'
import { build, defineConfig, type Options } from 'tsup'
import * as zod from 'zod'
import pkg from './package.json' with { type: 'json' }

const slashes = (file: string): string => file.replaceAll(sep, '/')

/** What package.json exports, and what `bin` loads: `vitest/plugin` is `src/vitest/plugin.ts` and becomes `dist/vitest/plugin.js`. */
const entry = [
  ...Object.values(pkg.exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')],
  ),
  'src/cli/program.ts',
]

/** Modules that are loaded by `import()`. */
const lazy = globSync('src/**/*.ts')
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path = '']) =>
      slashes(join(dirname(file), path)),
    ),
  )
  .filter((file) => !entry.includes(file))

/** All modules that a module loads at once, itself included. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [statement, path = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\b(?!\s+type\b)[^'"]*?from '(\.[^']+)'/gms,
  ))
    if (statement !== '') loadedWith(slashes(join(dirname(file), path)), found)
  return found
}

/** What test files load at once, and what a service in the same process adds. */
const shared = {
  fixture: [...loadedWith('src/index.ts')],
  service: [...loadedWith('src/service/start.ts')],
}

/**
 * esbuild makes a file for each set of entries that share a module, and each file costs a cold start 0.8 ms, whatever its size. So
 * each entry and lazy module imports all that test files load, and the lazy ones that only a service needs import its modules too:
 * that leaves one file for each. esbuild still leaves out exports that no entry uses.
 */
const fewFiles: Plugin = {
  name: 'few-files',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const file = slashes(relative('.', path))
      const isLazy = lazy.includes(file)
      if (!isLazy && !entry.includes(file)) return undefined
      const isOfService = isLazy && !file.startsWith('src/fixture/') && !shared.fixture.includes(file)
      const added = isOfService ? [...shared.fixture, ...shared.service] : shared.fixture
      const imports = added.map((other) => `import './${slashes(relative(dirname(file), other))}'`)
      return { contents: `${await readFile(path, 'utf8')}\n${imports.join('\n')}\n`, loader: 'ts' }
    })
  },
}

/** zod is bundled, since file by file it costs 50 ms of a cold start: with English alone of its 50 languages. */
const zodInEnglish: Plugin = {
  name: 'zod-in-english',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
    build.onLoad({ filter: /node_modules[\\/]zod[\\/].*\.js$/ }, async ({ path }) => ({
      contents: inLatin1(await readFile(path, 'utf8')),
    }))
  },
}

/** What our sources use of zod; of its core only types. */
const usedOfZod = new Set(
  globSync('src/**/*.ts')
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bz\s*\.(?!core)(\w+)/g)].map(([, name = '']) => name))
    .filter((name) => name in zod),
)

/** The first schema loads zod, which would take a tenth of a first creation. It cannot wait, hence `require`. */
const zodWhenUsed: Plugin = {
  name: 'zod-when-used',
  setup(build) {
    const getters = [...usedOfZod].map(
      (name) => `Object.defineProperty(exports, '${name}', { enumerable: true, get: () => load().${name} })`,
    )
    const contents = {
      zod: `const { load } = require('load-zod')\n${getters.join('\n')}`,
      'load-zod': `import { createRequire } from 'node:module'
        const require = createRequire(import.meta.url)
        export const load = () => require('./zod.cjs')`,
    }
    build.onResolve({ filter: /^(load-)?zod$/ }, ({ path }) => ({ path, namespace: 'when-used' }))
    build.onLoad({ filter: /./, namespace: 'when-used' }, ({ path }) => ({
      contents: contents[path as keyof typeof contents],
    }))
  },
}

const usual: Options = {
  format: 'esm',
  target: 'node22',
  platform: 'node',
  removeNodeProtocol: false,
  config: false,
  sourcemap: true,
  noExternal: ['zod', 'load-zod'],
  plugins: [
    {
      name: 'latin-1',
      renderChunk: (code, { map = null }) => ({ code: inLatin1(code), map }),
    },
  ],
  esbuildOptions(options) {
    options.charset = 'ascii'
  },
}

/** `…` becomes `\u2026`: V8 stores a file with any such character in two bytes a character. esbuild leaves comments as they are. */
function inLatin1(code: string): string {
  return code.replace(/[^\0-\xff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Leaves `cli/program.ts` outside of what imports it. */
const programApart: Plugin = {
  name: 'program-apart',
  setup: ({ onResolve }) => onResolve({ filter: /program\.ts$/ }, () => ({ path: './cli/program.js', external: true })),
}

export default defineConfig({
  ...usual,
  entry,
  splitting: true,
  clean: true,
  esbuildPlugins: [zodWhenUsed, fewFiles],
  async onSuccess() {
    // The main thread of `backlot serve` loads the first alone, and the thread for YAML the second.
    const apart = { ...usual, splitting: false, silent: true }
    await build({ ...apart, entry: ['src/cli.ts'], esbuildPlugins: [programApart] })
    await build({ ...apart, entry: ['src/service/openapi/yaml-thread.ts'] })
    await bundle({
      stdin: { contents: `export { ${[...usedOfZod].join(', ')} } from 'zod'`, resolveDir: '.' },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      charset: 'ascii',
      plugins: [zodInEnglish],
      outfile: 'dist/zod.cjs',
    })
    // Programs of users load it first.
    await build({ ...apart, entry: ['src/fixture/hosts/preload.ts'] })
  },
})
