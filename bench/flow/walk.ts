/**
 * `node walk.ts <src> <walk> functions|stack` takes one walk in this process, a fresh one, and prints as JSON the functions of
 * the folder `src` that ran, or the deepest stack that they made. Looking at stacks changes what V8 counts: each process does
 * one of the two.
 */
import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { SourceMap } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { WALKS } from './walks.ts'
import { watchStacks } from './watch-stacks.ts'

/** A function of the folder that ran in the walk. */
export interface RanFunction {
  /** Path below the folder. */
  readonly file: string
  /** Empty where the function has no name. */
  readonly name: string
  readonly calls: number
}

const [source = '', name, wanted] = process.argv.slice(2)
const walk = WALKS.find((candidate) => candidate.name === name)
if (walk === undefined) throw new Error(`Expected one of ${WALKS.map((each) => each.name).join(', ')}, got ${name}.`)
const home = `${pathToFileURL(source).href}/`
const isBuilt = basename(source) === 'dist'
const index = `${home}index.${isBuilt ? 'js' : 'ts'}`
const prepare = async () => walk.prepare((await import(index)) as typeof import('../../src/index.ts'))
const found = wanted === 'stack' ? await findDeepestStack() : await countFunctions()
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit())

async function findDeepestStack(): Promise<readonly string[]> {
  const stacks = watchStacks(home)
  const take = await prepare()
  return stacks.deepestOf(take)
}

/** V8 counts calls; a read of the counters resets them. */
async function countFunctions(): Promise<RanFunction[]> {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = await prepare()
  session.post('Profiler.takePreciseCoverage')
  await take()
  let scripts: Profiler.ScriptCoverage[] = []
  // A session of the same process answers before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error
    scripts = answer.result
  })
  // A `.cjs` is a package.
  return scripts.filter(({ url }) => url.startsWith(home) && !url.endsWith('.cjs')).flatMap(functionsOf)
}

/** V8 lists the code of a module outside of its functions as a function that begins with the file: it is left out. */
function functionsOf({ url, functions }: Profiler.ScriptCoverage): RanFunction[] {
  const fileAt = isBuilt ? readSourceMap(url) : () => url.slice(home.length)
  return functions.flatMap(({ functionName, ranges: [range] }) => {
    if (range === undefined || range.count === 0 || (functionName === '' && range.startOffset === 0)) return []
    const file = fileAt(range.startOffset)
    return file === undefined ? [] : [{ file, name: functionName, calls: range.count }]
  })
}

/** The source file of a place in a built file; undefined for the sources of packages. */
function readSourceMap(url: string): (offset: number) => string | undefined {
  const path = fileURLToPath(url)
  const text = readFileSync(path, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  return (offset) => {
    const before = text.slice(0, offset)
    const entry = map.findEntry(before.split('\n').length - 1, offset - before.lastIndexOf('\n') - 1)
    const original = 'originalSource' in entry ? entry.originalSource : ''
    return original.includes('node_modules') ? undefined : original.split('/src/')[1]
  }
}
