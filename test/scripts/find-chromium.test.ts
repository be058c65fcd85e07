import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/find-chromium.ts')

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-chromium-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function putBrowser(name: string, exitCode: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\nexit ${exitCode}\n`)
  await chmod(path, 0o755)
  return path
}

function run(env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8', env })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

it('takes the Chromium that CHROMIUM_PATH names', async () => {
  const path = await putBrowser('my-browser', 0)

  expect(run({ CHROMIUM_PATH: path })).toEqual({ status: 0, stdout: path, stderr: '' })
})

it('says in one line what is wrong with CHROMIUM_PATH', async () => {
  const path = await putBrowser('broken-browser', 1)

  const { status, stderr } = run({ CHROMIUM_PATH: path })

  expect(status).toBe(1)
  expect(stderr).toBe(`Expected \`CHROMIUM_PATH\` to be a Chromium that starts, got "${path}".`)
})

it('takes the system’s, and passes over a stub that does not start', async () => {
  await putBrowser('chromium', 1)
  const path = await putBrowser('chromium-browser', 0)

  expect(run({ PATH: folder })).toEqual({ status: 0, stdout: path, stderr: '' })
})
