/** The rest of `npm run build`, after tsup: the dashboard, the library and the declarations; and the examples find the package. */
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { buildDeclarations } from './build-declarations.ts'
import { buildLibrary } from './build-library.ts'
import { buildUi } from './build-ui.ts'

process.chdir(join(import.meta.dirname, '..'))

/** Examples name a version of `backlot`, so that a copy of one works anywhere; here that version is this repository. */
function linkExamples(): void {
  mkdirSync('examples/node_modules', { recursive: true })
  rmSync('examples/node_modules/backlot', { force: true })
  const kind = process.platform === 'win32' ? 'junction' : 'dir'
  symlinkSync(join('..', '..'), 'examples/node_modules/backlot', kind)
}

interface SourceMap {
  sources: string[]
  mappings: string
  sourcesContent?: (string | null)[] | undefined
}

/** Imports that tsup.config.ts adds at the end of a module. */
const ADDED_IMPORTS = /(\nimport '[^']+')+\n$/

/** Sources whose text no stack of a user shows: lists of words, and the commands. Their lines and names stay in the maps. */
const WITHOUT_TEXT = /\/src\/(?:cli|service\/dataset\/words)\//

/** Source maps lead to lines and names: stacks are read by these, and columns are a tenth of the package. */
function mapLines(): void {
  for (const file of globSync('dist/**/*.js.map')) {
    const map = JSON.parse(readFileSync(file, 'utf8')) as SourceMap
    const isNew = (segment: SourceMapSegment, at: number, line: readonly SourceMapSegment[]) =>
      segment.length === 5 || segment[1] !== line[at - 1]?.[1] || segment[2] !== line[at - 1]?.[2]
    const ofLine = ([column, source, line, _, name]: SourceMapSegment, at: number): SourceMapSegment => {
      if (source === undefined || line === undefined) return [column]
      return name === undefined ? [at === 0 ? 0 : column, source, line, 0] : [column, source, line, 0, name]
    }
    map.mappings = encode(decode(map.mappings).map((line) => line.filter(isNew).map(ofLine)))
    map.sourcesContent = map.sourcesContent?.map((text, at) =>
      WITHOUT_TEXT.test(map.sources[at] ?? '') ? null : (text?.replace(ADDED_IMPORTS, '') ?? null),
    )
    writeFileSync(file, JSON.stringify(map))
  }
}

await buildLibrary()
mapLines()
chmodSync('dist/cli.js', 0o755)
copyFileSync('node_modules/zod/LICENSE', 'dist/zod.LICENSE')
await buildUi()
await buildDeclarations()
linkExamples()
