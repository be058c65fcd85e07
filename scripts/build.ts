/** The rest of `npm run build`, after tsup: the dashboard, the library and the declarations; and the examples find the package. */
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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

chmodSync('dist/cli.js', 0o755)
copyFileSync('node_modules/zod/LICENSE', 'dist/zod.LICENSE')
await buildUi()
await buildLibrary()
await buildDeclarations()
linkExamples()
