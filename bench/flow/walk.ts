/**
 * `node walk.ts <src> <walk> functions|stack` takes one walk in this process, a fresh one, and prints as JSON the functions of
 * the folder `src` that ran, or the deepest stack that they made. Looking at stacks changes what V8 counts: each process does
 * one of the two.
 */
import { type Profiler, Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
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
const prepare = async () => walk.prepare((await import(`${home}index.ts`)) as typeof import('../../src/index.ts'))
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
  return scripts.filter(({ url }) => url.startsWith(home)).flatMap(functionsOf)
}

/** V8 lists the code of a module outside of its functions as a function that begins with the file: it is left out. */
function functionsOf({ url, functions }: Profiler.ScriptCoverage): RanFunction[] {
  return functions.flatMap(({ functionName, ranges: [range] }) => {
    if (range === undefined || range.count === 0 || (functionName === '' && range.startOffset === 0)) return []
    return [{ file: url.slice(home.length), name: functionName, calls: range.count }]
  })
}
