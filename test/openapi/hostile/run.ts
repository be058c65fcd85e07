/** `npm run hostile`: every hostile description, where `npm test` takes one of each class. */
import { spawnSync } from 'node:child_process'

const { status } = spawnSync('npx', ['vitest', 'run', 'test/openapi/hostile', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BACKLOT_HOSTILE: 'all' },
})
process.exitCode = status ?? 1
