import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { EXAMPLE_PROJECTS, type ExampleProject, exampleFolder, RUNNERS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const DAILY = EXAMPLE_PROJECTS.filter(({ nightly }) => !nightly)
const daily = (...runners: ExampleProject['runner'][]) => DAILY.filter(({ runner }) => runners.includes(runner))
const foldersOf = (runner: ExampleProject['runner']) => daily(runner).map(({ folder }) => folder)

it.each(daily('node', 'jest'))('examples/$folder, $runner: passes embedded', async (project) => {
  const [command, ...args] = RUNNERS[project.runner]

  const { exitCode, output } = await runCommand(bin(command), args, { cwd: exampleFolder(project.folder) })

  expect(exitCode, output).toBe(0)
})

it('has examples for Vitest that pass embedded', async () => {
  const [command, ...args] = RUNNERS.vitest
  const config = join(import.meta.dirname, 'vitest.config.ts')

  const { exitCode, output } = await runCommand(bin(command), [...args, '--no-isolate', '--config', config], {
    // The path of its description is relative.
    cwd: exampleFolder('own-description'),
  })

  expect(exitCode, output).toBe(0)
  for (const folder of foldersOf('vitest')) expect(output).toMatch(RegExp(`✓ .*\\b${folder}\\b.* test/`))
})

it('has examples for Playwright that pass embedded', async () => {
  const [command, ...args] = RUNNERS.playwright

  const { exitCode, output } = await runCommand(bin(command), args, { cwd: import.meta.dirname })

  expect(exitCode, output).toBe(0)
  for (const folder of foldersOf('playwright')) expect(output).toContain(`[${folder}] › `)
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
    const { exitCode, output } = await runCommand(bin('tsc'), ['-p', '.', '--checkers', '1'], { cwd: folder })

    expect(output).toBe('')
    expect(exitCode).toBe(0)
  }
})
