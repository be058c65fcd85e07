/**
 * `npm run flow`: how much code a request, a delivery, a fast-forward and a creation run through: the files and functions of
 * `src/` that ran, and the deepest stack, by frames of `src/` alone. `npm run flow -- GET` takes one walk and lists them.
 * `--root <folder>` looks at another checkout, which needs its own `node_modules`. `--built` takes the built package, whose library
 * entries have compiled models, and counts no stacks.
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RanFunction } from './walk.ts'
import { WALKS } from './walks.ts'

interface Flow {
  readonly walk: string
  readonly files: number
  readonly functions: readonly RanFunction[]
  /** Outermost first. */
  readonly deepest: readonly string[]
}

const { values, positionals } = parseArgs({
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
    built: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const names = WALKS.map(({ name }) => name)
const unknown = positionals.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`Expected a walk to be one of ${names.join(', ')}, got "${unknown}".`)
  process.exit(2)
}

const flows = (positionals.length > 0 ? positionals : names).map(measure)
if (values.json) console.log(JSON.stringify({ flows }))
else {
  printRow('', 'files', 'functions', 'deepest')
  for (const { walk, files, functions, deepest } of flows) printRow(walk, files, functions.length, deepest.length)
  if (positionals.length > 0) flows.forEach(printParts)
}

function measure(walk: string): Flow {
  const functions = run<RanFunction[]>(walk, 'functions')
  const files = new Set(functions.map(({ file }) => file)).size
  return { walk, files, functions, deepest: values.built ? [] : run<string[]>(walk, 'stack') }
}

/** Takes a walk in a process that finds no compiled code. */
function run<Found>(walk: string, wanted: string): Found {
  const script = join(import.meta.dirname, 'walk.ts')
  const output = execFileSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      script,
      join(resolve(values.root), values.built ? 'dist' : 'src'),
      walk,
      wanted,
    ],
    { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }, encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  return JSON.parse(output) as Found
}

function printRow(name: string, ...figures: (string | number)[]): void {
  console.log(`${name.padEnd(24)}${figures.map((figure) => String(figure).padStart(11)).join('')}`)
}

function printParts({ walk, functions, deepest }: Flow): void {
  console.log(`\n${walk}: functions by file, with their calls`)
  for (const [file, own] of Map.groupBy(functions, (each) => each.file))
    console.log(`  ${file}: ${own.map(({ name, calls }) => `${name || '(no name)'} ${calls}`).join(', ')}`)
  console.log(`\n${walk}: the deepest stack`)
  for (const frame of deepest) console.log(`  ${frame}`)
}
