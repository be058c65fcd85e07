import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXAMPLE_PROJECTS, exampleFolder, RUNNERS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'

const DAILY = EXAMPLE_PROJECTS.filter(({ nightly }) => !nightly)

it.each(DAILY)('examples/$folder, $runner: passes embedded', async (project) => {
  const [command, ...args] = RUNNERS[project.runner]

  const { exitCode, output } = await runCommand(bin(command), args, { cwd: exampleFolder(project.folder) })

  expect(exitCode, output).toBe(0)
})

const typed = [...new Set(EXAMPLE_PROJECTS.map(({ folder }) => folder))].filter((folder) =>
  existsSync(join(exampleFolder(folder), 'tsconfig.json')),
)

it.each(typed)('examples/%s is typed', async (folder) => {
  const { exitCode, output } = await runCommand(bin('tsc'), ['-p', '.'], { cwd: exampleFolder(folder) })

  expect(output).toBe('')
  expect(exitCode).toBe(0)
})
