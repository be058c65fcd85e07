import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/*
 * `npm run conformance` holds the embedded service and `backlot serve`, in memory and from a file, against the specification, a rule at a time.
 * `npm run conformance -- --url <base URL> --key <account key> [--ca <pem file>] [--extensions]` does it to any other service.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    ca: { type: 'string' },
    extensions: { type: 'boolean', default: false },
  },
})

if ((values.url === undefined) !== (values.key === undefined)) {
  process.stderr.write('Expected `--url` and `--key` together.\n')
  process.exit(2)
}

const root = join(import.meta.dirname, '../..')
const files = values.url === undefined ? ['embedded', 'served', 'stored'] : ['remote']
const remote = {
  CONFORMANCE_URL: values.url,
  CONFORMANCE_KEY: values.key,
  CONFORMANCE_CA: values.ca === undefined ? undefined : readFileSync(values.ca, 'utf8'),
  CONFORMANCE_EXTENSIONS: values.extensions ? '1' : undefined,
}
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files.map((file) => `test/conformance/${file}.test.ts`),
    `--reporter=${join(root, 'test/conformance/line-reporter.ts')}`,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...remote } },
)
process.exitCode = status ?? 1
