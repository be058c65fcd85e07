import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../support/run-cli.ts'

const PAGE = join(import.meta.dirname, '../../docs/write-an-entry.md')

it('leads by its tutorial from a description to a check that passes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-tutorial-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const page = await readFile(PAGE, 'utf8')
  await mkdir(join(folder, 'parcels'))
  let output = ''
  let compared = 0

  for (const [, language = '', code = ''] of page.matchAll(/```(\w+)\n([\s\S]*?)```/g)) {
    const [, file] = /^(?:#|\/\/) (\S+)\n/.exec(code) ?? []
    if (language === 'sh') output = await runAll(code, folder)
    else if (language === 'text') compared += expectLines(output, code)
    else await writeFile(join(folder, file ?? ''), code)
  }

  expect(compared).toBe(5)
})

/** What the commands print. */
async function runAll(code: string, cwd: string): Promise<string> {
  let printed = ''
  for (const command of code.trim().split('\n')) {
    const args = command.replace(/^npx backlot /, '').split(' ')
    const { exitCode, stdout, stderr } = await runCli(args, {}, cwd)
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0)
    printed += stdout
  }
  return printed
}

/** How many lines the page shows of an output, which has them all. */
function expectLines(output: string, code: string): number {
  const lines = code.trim().split('\n')
  for (const line of lines) expect(output.split('\n')).toContain(line)
  return lines.length
}
