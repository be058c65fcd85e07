/** The rest of `npm run build`, after tsup: the dashboard, the library and the declarations; and the examples find the package. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { type Comment, parse } from 'acorn'
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
  sourcesContent?: string[] | undefined
}

/**
 * Sources that are in the maps without their text, as zod is: lists of words are no code, and the handlers of entries are
 * as readable in the file that runs. Their text would be a twelfth of the package.
 */
const WITHOUT_TEXT = /\/src\/service\/dataset\/words\/|^(?:\.\.\/)+library\//
/** Comments on lines of their own. They are a tenth of the package; declarations have the public ones. */
const COMMENTS = /^[ \t]*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*|\/\/.*)$/gm
/** No stack leads to imports, those that tsup.config.ts adds among them, and types. They are a thirtieth of the package. */
const WITHOUT_CODE = /^(?:import|(?:export )?(?:interface|type)) .*(?:\n+[ )}\]>].*)*/gm
const toBlankLines = (text: string): string => text.replace(/[^\n]/g, '')
/** A line of brackets, to which no stack leads. */
const BRACKETS = /^[\s()[\]{},;]*$/

/** The numbers of all lines that documentation comments fill. */
function linesOfComments(code: string): Set<number> {
  const comments: Comment[] = []
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onComment: comments })
  const lines = code.split('\n')
  return new Set(
    comments.flatMap(({ type, value, loc }) => {
      if (type !== 'Block' || !value.startsWith('*') || loc === undefined || loc === null) return []
      const { start, end } = loc
      const isAlone =
        `${lines[start.line - 1]?.slice(0, start.column)}${lines[end.line - 1]?.slice(end.column)}`.trim() === ''
      return isAlone ? Array.from({ length: end.line - start.line + 1 }, (_, at) => start.line - 1 + at) : []
    }),
  )
}

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
    const code = readFileSync(file.slice(0, -'.map'.length), 'utf8')
    const left = linesOfComments(code)
    const lines = code.split('\n')
    const isCode = (_: unknown, at: number) => !left.has(at)
    map.mappings = encode(
      decode(map.mappings)
        .map((line, at) => (BRACKETS.test(lines[at] ?? '') ? [] : line.filter(isNew).map(ofLine)))
        .filter(isCode),
    )
    writeFileSync(file.slice(0, -'.map'.length), lines.filter(isCode).join('\n'))
    map.sourcesContent = map.sourcesContent?.map((text, at) =>
      WITHOUT_TEXT.test(map.sources[at] ?? '')
        ? ''
        : text.replace(COMMENTS, toBlankLines).replace(WITHOUT_CODE, toBlankLines),
    )
    writeFileSync(file, JSON.stringify(map))
  }
}

/** Declarations become few files. */
function removeEmpty(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(path, entry.name))
  if (readdirSync(path).length === 0) rmdirSync(path)
}

const library = buildLibrary()
// They take half of the time, so they are made beside all else.
const declarations = promisify(execFile)(process.execPath, ['scripts/build-declarations.ts'])
await library
mapLines()
chmodSync('dist/cli.js', 0o755)
copyFileSync('node_modules/zod/LICENSE', 'dist/zod.LICENSE')
await buildUi()
await declarations
removeEmpty('dist')
linkExamples()
