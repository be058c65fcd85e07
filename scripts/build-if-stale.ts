/** Builds `dist/` unless it is newer than its sources. The build prints to stderr: stdout is the caller's. */
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nodeTool } from './node-tool.ts'

const root = join(import.meta.dirname, '..')
const INGREDIENTS = [
  'src/**/*',
  'library/**/*',
  'package.json',
  'package-lock.json',
  'tsup.config.ts',
  'scripts/build*.ts',
  'tsconfig*.json',
]

if (changedAt(INGREDIENTS, Math.max) > changedAt(['dist/*.js'], Math.min)) {
  const { status } = spawnSync(...nodeTool('npm', ['run', 'build']), { cwd: root, stdio: ['ignore', 2, 2] })
  process.exitCode = status ?? 1
}

/** The latest or earliest change of the files, milliseconds; 0 where there are none. */
function changedAt(patterns: readonly string[], pick: (...times: number[]) => number): number {
  const times = globSync(patterns, { cwd: root }).map((file) => statSync(join(root, file)).mtimeMs)
  return times.length === 0 ? 0 : pick(...times)
}
