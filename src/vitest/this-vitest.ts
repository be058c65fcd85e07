import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as vitest from 'vitest'
import { SimulationError } from '../fixture/simulation-error.ts'

const NEEDED = '4.1'

/** A copy of Vitest: its version and folder. */
interface VitestCopy {
  readonly version: string
  readonly folder: string
}

// `aroundEach` is new in 4.1: checking for it costs nothing, reading the version costs each test file a file.
if (!('aroundEach' in vitest)) {
  const { version, folder } = copyAt(import.meta.url)
  throw new SimulationError(`backlot needs Vitest ${NEEDED} or later; this is ${version}, in ${folder}.`)
}

/** Why hooks cannot be registered: another copy of Vitest runs the tests, or none does. */
export function explainRunner(cause: unknown): SimulationError {
  const own = copyAt(import.meta.url)
  const running = runningCopy()
  if (running !== undefined && running.folder !== own.folder) {
    return new SimulationError(
      `Failed to use simulations: two copies of Vitest are here. ${running.version} in ${running.folder} runs the tests, and backlot finds ${own.version} in ${own.folder}. Install one of them, beside backlot.`,
      { cause },
    )
  }
  return new SimulationError(
    `Failed to use simulations: no test file of Vitest is being read. Call \`useSimulation\` at the top of one, run by \`vitest\`; elsewhere use \`createSimulation\`, from "backlot".`,
    { cause },
  )
}

function copyAt(url: string): VitestCopy {
  const require = createRequire(url)
  const file = realpathSync(require.resolve('vitest/package.json'))
  return { version: (require(file) as { version: string }).version, folder: dirname(file) }
}

/** The copy of Vitest that runs this process. */
function runningCopy(): VitestCopy | undefined {
  const [, folder] = /^(.*[\\/]node_modules[\\/]vitest)[\\/]/.exec(process.argv[1] ?? '') ?? []
  return folder === undefined ? undefined : copyAt(pathToFileURL(join(folder, 'package.json')).href)
}
