import { globSync, readFileSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { type Plugin, transform } from 'esbuild'
import { minify } from 'terser'
import { build, defineConfig, type Options } from 'tsup'
import { buildLibrary } from './scripts/build-library.ts'
import { buildUi } from './scripts/build-ui.ts'

/** The package's doors: each becomes `dist/<door>.js`, as `exports` in package.json names them. */
const doors = [
  'src/index.ts',
  'src/vitest.ts',
  'src/vitest/plugin.ts',
  'src/vitest/setup.ts',
  'src/vitest/matchers.ts',
  'src/playwright.ts',
  'src/playwright/setup.ts',
  'src/service.ts',
]
/** The doors, and what `bin` loads. */
const entry = [...doors, 'src/cli/program.ts']

/** Modules that are loaded by `import()`. */
const lazy = globSync('src/**/*.ts')
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  )
  .filter((file) => !entry.includes(file.replaceAll('\\', '/')))

/** What the doors of test files share, and what the service adds to it. */
const rooms = {
  fixture: globSync('src/{runtime,server,client,sink,fixture}/**/*.ts').filter((file) => !lazy.includes(file)),
  // The dashboard is a file of its own: most services are closed before a browser comes. Operations and stores are for `serve` alone, and
  // few ask for the OpenAPI document. The thread for YAML runs when it is imported, and holds the port of the thread that it is in.
  service: globSync('src/service/**/*.ts', {
    exclude: [
      'src/service/{ui,operations}/**',
      'src/service/store/{open-*,pg-*,sqlite-*,reseal-*,sealed-*,text-seal}.ts',
      'src/service/account/host-accounts.ts',
      'src/service/management/openapi-document.ts',
      'src/service/openapi/yaml-thread.ts',
    ],
  }),
}

/**
 * esbuild makes a file for each set of entries that share a module, and each file costs a cold start 0.8 ms, whatever
 * its size. So every door and lazy module imports the rooms of the fixture whole, and the lazy ones but those of the fixture those of
 * the service too: that leaves one shared file for each. esbuild still leaves out exports that no entry uses.
 */
const fewFiles: Plugin = {
  name: 'few-files',
  setup(build) {
    const importing = (files: readonly string[]) =>
      files.map((file) => `\nimport ${JSON.stringify(resolve(file))}`).join('')
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const file = relative('.', path)
      const isLazy = lazy.includes(file)
      if (!isLazy && !entry.includes(file.replaceAll('\\', '/'))) return undefined
      const isOfService = isLazy && !file.startsWith(join('src/fixture/'))
      const added = importing(isOfService ? [...rooms.fixture, ...rooms.service] : rooms.fixture)
      return { contents: (await readFile(path, 'utf8')) + added, loader: 'ts' }
    })
  },
}

/**
 * zod is bundled, since file by file it costs 50 ms of every cold start: with English alone of its 50 languages, and
 * without what nobody calls, which esbuild sees where all of a module is imported and not its export `z`. Declarations
 * do not name it: `scripts/spell-types.ts`.
 */
const zodInPart: Plugin = {
  name: 'zod-in-part',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js'",
      resolveDir: dirname(path),
    }))
  },
}

const LINE_LIMIT = 1_000

/** A sentence that only the file of the fixture holds. */
const OF_FIXTURE = 'source of a simulation to be'

/**
 * Shortens names, a tenth of the tarball: esbuild those of private fields, and terser again all others, by how often they stand in the
 * file, which saves 7 kB more. Names of methods and of what is exported stay, and all names in the doors. In the file of the fixture,
 * which stands in the stack traces of users, functions, classes and all of the top level keep theirs.
 */
const shortNames = {
  name: 'short-names',
  async renderChunk(code: string, { entryPoint = '' }: { entryPoint?: string | undefined }) {
    if (doors.includes(entryPoint)) return undefined
    if (code.includes(OF_FIXTURE)) {
      const format = { max_line_len: LINE_LIMIT, ascii_only: true }
      const mangle = { toplevel: false, keep_fnames: true, keep_classnames: true }
      return { code: (await minify(code, { ecma: 2020, compress: false, mangle, format })).code as string }
    }
    const { code: short } = await transform(code, { minify: true, format: 'esm' })
    const format = { max_line_len: 2 * LINE_LIMIT, ascii_only: true }
    const { code: shorter } = await minify(short, { module: true, ecma: 2020, compress: false, format })
    return { code: shorter as string }
  },
}

/**
 * White space goes, a tenth of the tarball. Lines end after some 1,000 characters, since Node prints the whole line of an error that nothing catches:
 * after 500 they would take 3 kB more. Lines of shortened names, which say nothing to users, are twice as long.
 */
const usual: Options = {
  format: 'esm',
  target: 'node22',
  platform: 'node',
  removeNodeProtocol: false,
  config: false,
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [shortNames],
  esbuildOptions(options) {
    options.lineLimit = LINE_LIMIT
  },
}

/** Leaves `cli/program.ts` outside of what imports it. */
const programApart: Plugin = {
  name: 'program-apart',
  setup: ({ onResolve }) => onResolve({ filter: /program\.ts$/ }, () => ({ path: './cli/program.js', external: true })),
}

export default defineConfig({
  entry,
  ...usual,
  splitting: true,
  clean: true,
  esbuildPlugins: [zodInPart, fewFiles],
  async onSuccess() {
    // It shares no file with the rest: the main thread of `backlot serve` loads it alone.
    await build({ ...usual, entry: ['src/cli.ts'], esbuildPlugins: [programApart], silent: true })
    // A thread of its own loads it.
    await build({
      ...usual,
      entry: ['src/service/openapi/yaml-thread.ts'],
      esbuildPlugins: [zodInPart],
      silent: true,
    })
    await copyFile('node_modules/zod/LICENSE', 'dist/zod.LICENSE')
    await buildUi()
    await buildLibrary()
  },
})
