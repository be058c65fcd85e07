/** Builds the dashboard: `src/ui` becomes `dist/ui/index.html` and hashed files beside it. */
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'

const ENTRIES = ['src/ui/theme.ts', 'src/ui/style/dashboard.css', 'src/ui/main.tsx']

/** The page before the script runs. */
const FRAME =
  '<header class="top-bar"><a class="brand" href="/ui/">backlot</a></header><main class="waiting" aria-busy="true"></main>'

const BROWSERS = ['es2023', 'chrome123', 'firefox120', 'safari17.5']

const OPTIONS = {
  entryPoints: ENTRIES,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: BROWSERS,
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  logLevel: 'warning',
} as const

/** Replaces the contents of `outDir` with the page. */
export async function buildUi(outDir = 'dist/ui'): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  const outdir = join(outDir, 'assets')
  const apart = await build({ ...OPTIONS, outdir, write: false })
  const { metafile } = await build({ ...OPTIONS, outdir, plugins: [firstPageTogether(apart.metafile)] })
  await compressAll(outdir)
  await writeFile(join(outDir, 'index.html'), composeShell(metafile))
  await copyFile('node_modules/preact/LICENSE', join(outDir, 'preact.LICENSE'))
}

/**
 * esbuild makes a file for each set of pages that share a module, two dozen of them, most of a few hundred bytes. So every page that is loaded
 * later imports all that the first page has: that leaves one shared file for the first page.
 */
function firstPageTogether({ outputs }: Metafile): Plugin {
  const isEntry = (path: string) => Object.values(outputs).some(({ entryPoint }) => entryPoint === path)
  const main = findOutput(outputs, ENTRIES.at(-1) ?? '')
  const first = [main, ...importsOf(outputs, main)].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
  const shared = first.filter((path) => path.startsWith('src/ui/') && !isEntry(path))
  const imports = shared.map((path) => `\nimport ${JSON.stringify(resolve(path))}`).join('')
  return {
    name: 'first-page-together',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]ui[\\/].*\.tsx$/ }, async ({ path }) => {
        if (!isEntry(relative('.', path).replaceAll('\\', '/'))) return undefined
        return { contents: (await readFile(path, 'utf8')) + imports, loader: 'tsx' }
      })
    },
  }
}

/** Replaces each file by `<file>.br`: a smaller tarball, and the form for most browsers. */
async function compressAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    await writeFile(`${path}.br`, brotliCompressSync(await readFile(path)))
    await rm(path)
  }
}

/** The page before its script runs: no inline script or style, since its policy forbids both. */
function composeShell({ outputs }: Metafile): string {
  const addressOf = (path: string) => `/ui/assets/${basename(path)}`
  const paths = ENTRIES.map((entry) => findOutput(outputs, entry))
  const [theme = '', style = '', main = ''] = paths.map(addressOf)
  const preloads = [main, ...importsOf(outputs, paths.at(-1) ?? '').map(addressOf)].map(
    (path) => `<link rel="modulepreload" href="${path}">`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>backlot</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23305fd0'/%3E%3Cpath d='M5 3.5h3.2a2.3 2.3 0 0 1 1.2 4.2 2.6 2.6 0 0 1-1 4.8H5z' fill='none' stroke='%23fff' stroke-width='1.6'/%3E%3C/svg%3E">
<script src="${theme}"></script>
<link rel="stylesheet" href="${style}">
${preloads.join('\n')}
</head>
<body>
<div id="app">${FRAME}</div>
<noscript>The dashboard needs JavaScript. The management API below /v1 does not.</noscript>
<script type="module" src="${main}"></script>
</body>
</html>
`
}

function findOutput(outputs: Metafile['outputs'], entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) throw new Error(`Failed to build the dashboard: ${entry} has no output.`)
  return found[0]
}

/** The files that a file imports at once, and those that these import. */
function importsOf(outputs: Metafile['outputs'], from: string, seen = new Set<string>()): string[] {
  for (const { path, kind } of outputs[from]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(path)) continue
    seen.add(path)
    importsOf(outputs, path, seen)
  }
  return [...seen]
}

if (import.meta.main) await buildUi()
