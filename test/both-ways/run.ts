/**
 * `npm run both-ways`: runs all examples and all inner projects embedded, and again, unchanged, against one `backlot serve
 * --allow-private-webhooks 127.0.0.1/32`. Every test must end in the same way in both. Words after `--` choose rows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXAMPLE_PROJECTS, type ExampleProject, exampleFolder } from '../support/example-projects.ts'
import { INNER_ROWS, type Outcomes, outcomesOf, type ProjectRow } from '../support/project-outcomes.ts'
import { type Served, serve } from '../support/serve.ts'

const TYPED_CLIENT: ExampleProject = { folder: 'typed-client', runner: 'vitest' }

const ROWS: readonly ProjectRow[] = [
  ...[...EXAMPLE_PROJECTS, TYPED_CLIENT].map(({ folder, runner, embeddedOnly }) => ({
    name: `examples/${folder}`,
    cwd: exampleFolder(folder),
    runner,
    args: embeddedOnly === undefined ? [] : ['--exclude', embeddedOnly],
  })),
  ...INNER_ROWS,
]

const words = process.argv.slice(2)
const rows = ROWS.filter(({ name }) => words.every((word) => name.includes(word)))
const work = mkdtempSync(join(tmpdir(), 'backlot-both-ways-'))
await using served = await serve(['--allow-private-webhooks', '127.0.0.1/32'])
let differences = 0
for (const row of rows) {
  const embedded = await outcomesOf(row, work, {})
  const hosted = await outcomesOf(row, work, served.env)
  const found = [...compare(embedded, hosted), ...failuresOf(row, embedded), ...(await findLeft(row, served))]
  differences += found.length
  const count = `${embedded.size} ${embedded.size === 1 ? 'test' : 'tests'}`
  process.stdout.write(`${found.length === 0 ? 'same  ' : 'DIFFER'}  ${row.name.padEnd(28)} ${count}\n`)
  for (const line of found) process.stdout.write(`        ${line}\n`)
}
rmSync(work, { recursive: true, force: true })
process.stdout.write(differences === 0 ? 'All the same.\n' : `${differences} differences.\n`)
process.exitCode = differences === 0 ? 0 : 1

function compare(embedded: Outcomes, hosted: Outcomes): string[] {
  const names = new Set([...embedded.keys(), ...hosted.keys()])
  return [...names]
    .filter((name) => embedded.get(name) !== hosted.get(name))
    .map((name) => `${name}: ${embedded.get(name) ?? 'not run'} embedded, ${hosted.get(name) ?? 'not run'} hosted`)
}

/** Examples pass; some inner projects fail on purpose. */
function failuresOf({ name }: ProjectRow, embedded: Outcomes): string[] {
  if (!name.startsWith('examples/')) return []
  return [...embedded].filter(([, end]) => /^(failed|not ok)$/.test(end)).map(([test]) => `${test}: fails`)
}

/** Simulations that a row left at the service, which it then loses. One that a test keeps on purpose has its own test. */
async function findLeft({ args }: ProjectRow, { client }: Served): Promise<string[]> {
  const left = await client.listSimulations()
  for (const { id } of left) await client.deleteSimulation(id)
  return args.includes('failing') ? [] : left.map(({ name }) => `left behind: ${name}`)
}
