import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { EXAMPLE_PROJECTS, exampleFolder, RUNNERS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const DAILY = EXAMPLE_PROJECTS.filter(({ nightly }) => !nightly)

it.each(DAILY)('examples/$folder, $runner: passes embedded', async (project) => {
  const [command, ...args] = RUNNERS[project.runner]

  const { exitCode, output } = await runCommand(bin(command), args, { cwd: exampleFolder(project.folder) })

  expect(exitCode, output).toBe(0)
})

const typed = [...new Set(EXAMPLE_PROJECTS.map(({ folder }) => folder))].filter((folder) =>
  existsSync(join(exampleFolder(folder), 'tsconfig.json')),
)

it('has examples that are typed: one compiler reads the packages of all', async () => {
  const configs = typed.map((folder) => {
    const { compilerOptions, include } = JSON.parse(readFileSync(join(exampleFolder(folder), 'tsconfig.json'), 'utf8'))
    return { compilerOptions, include: include.map((path: string) => join(exampleFolder(folder), path)) as string[] }
  })
  const groups = Map.groupBy(configs, ({ compilerOptions }) => JSON.stringify(compilerOptions))
  expect(groups.size).toBeLessThan(typed.length)
  const folder = await mkdtemp(join(tmpdir(), 'backlot-typed-'))
  onTestFinished(() => rm(folder, { recursive: true }))

  for (const [options, group] of groups) {
    const compilerOptions = { ...JSON.parse(options), typeRoots: [join(ROOT, 'node_modules/@types')] }
    const config = { compilerOptions, include: group.flatMap(({ include }) => include) }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { exitCode, output } = await runCommand(bin('tsc'), ['-p', '.'], { cwd: folder })

    expect(output).toBe('')
    expect(exitCode).toBe(0)
  }
})
