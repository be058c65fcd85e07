import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { CLI } from '../support/serve.ts'

it('ends quietly when its reader leaves, as `backlot inspect ... | head -1` does', async () => {
  const child = spawn(process.execPath, [CLI, 'inspect', 'task-tracker'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  child.stdout.destroy()

  const [exitCode] = await once(child, 'close')

  expect(errors).toBe('')
  expect(exitCode).toBe(0)
})
