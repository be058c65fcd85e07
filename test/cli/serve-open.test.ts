import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { firstLine, startCli } from '../conformance/served-target.ts'

it.skipIf(process.platform !== 'linux')('opens the dashboard, signed in, with --open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-open-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const opened = join(folder, 'opened')
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > "${opened}"\n`)
  await chmod(join(folder, 'xdg-open'), 0o755)
  const child = startCli(['serve', '--json', '--port', '0', '--open'], {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  })
  onTestFinished(() => void child.kill('SIGKILL'))

  const { url } = JSON.parse(await firstLine(child)) as { url: string }

  const read = () => readFile(opened, 'utf8').catch(() => '')
  await expect.poll(read).toMatch(/\?code=[\da-f]{32}\n$/)
  expect(await read()).toContain(`${url}/ui/`)
})
