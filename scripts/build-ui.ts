/** Builds the dashboard: `src/ui` becomes `dist/ui/index.html` and hashed files beside it. */
import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

const ENTRIES = ['src/ui/theme.ts', 'src/ui/style/dashboard.css', 'src/ui/main.tsx']

/** What stands until the script runs. */
const FRAME =
  '<header class="top-bar"><a class="brand" href="/ui/">backlot</a></header><main class="waiting" aria-busy="true"></main>'

const BROWSERS = ['es2023', 'chrome123', 'firefox120', 'safari17.5']
const JSX = { jsx: 'automatic', jsxImportSource: 'preact' } as const

/** Writes the page into `outDir`, in place of what is there. */
export async function buildUi(outDir = 'dist/ui'): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: ENTRIES,
    outdir: join(outDir, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    minify: true,
    ...JSX,
    metafile: true,
    logLevel: 'warning',
  })
  await compressAll(join(outDir, 'assets'))
  await writeFile(join(outDir, 'index.html'), composeShell(metafile))
  await writeFile(join(outDir, 'report.html.br'), brotliCompressSync(await composeReport()))
  await copyFile('node_modules/preact/LICENSE', join(outDir, 'preact.LICENSE'))
}

/** Leaves `<file>.br` of each file: less of the tarball, and what most browsers are sent. */
async function compressAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    await writeFile(`${path}.br`, brotliCompressSync(await readFile(path)))
    await rm(path)
  }
}

/** The page before its script runs: no inline script or style, since its policy forbids both. */
function composeShell({ outputs }: Metafile): string {
  const fileOf = (entry: string) => {
    const found = Object.entries(outputs).find(
      ([, { entryPoint }]) => entryPoint && resolve(entryPoint) === resolve(entry),
    )
    if (found === undefined) throw new Error(`Failed to build the dashboard: ${entry} has no output.`)
    return `/ui/assets/${basename(found[0])}`
  }
  const [theme = '', style = '', main = ''] = ENTRIES.map(fileOf)
  const preloads = [main, ...importsOf(outputs, main)].map((path) => `<link rel="modulepreload" href="${path}">`)
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

/** The page of a report as one file. Its policy lets its own script and style run, by their hashes. */
async function composeReport(): Promise<string> {
  const bundle = async (entry: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      format: 'iife',
      platform: 'browser',
      target: BROWSERS,
      minify: true,
      ...JSX,
      alias: { 'preact-iso/router': resolve('src/ui/report/hash-location.tsx') },
      write: false,
      logLevel: 'warning',
    })
    return (outputFiles[0]?.text ?? '').trim()
  }
  const [script, style] = await Promise.all([bundle('src/ui/report/main.tsx'), bundle('src/ui/style/dashboard.css')])
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>backlot</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="report"></script>
<script>${script}</script>
</body>
</html>
`
}

/** What the first page needs besides its own file: the parts that it imports at once. */
function importsOf(outputs: Metafile['outputs'], entry: string): string[] {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === name) ?? []
    for (const { path, kind } of output?.imports ?? []) {
      if (kind !== 'import-statement' || seen.has(basename(path))) continue
      seen.add(basename(path))
      visit(basename(path))
    }
  }
  visit(basename(entry))
  return [...seen].map((name) => `/ui/assets/${name}`)
}

if (import.meta.main) await buildUi()
