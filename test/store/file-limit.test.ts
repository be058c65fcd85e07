import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { serve } from '../support/serve.ts'

const PRLIMIT = '/usr/bin/prlimit'
const folder = mkdtempSync(join(tmpdir(), 'backlot-limit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.skipIf(!existsSync(PRLIMIT))(
  'answers 507 for changes past a limit of the size of files, reads on, and goes on when it is lifted',
  async () => {
    await using served = await serve(['--store', join(folder, 'backlot.db')])
    const { apiKey, url } = await served.client.createSimulation({ library: 'task-tracker' })
    const limit = (bytes: string) => execFileSync(PRLIMIT, ['--pid', String(served.pid), `--fsize=${bytes}:`])
    const call = (method: string, body?: object) =>
      fetch(`${url}/v1/projects`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const create = () => call('POST', { name: 'x'.repeat(100), key: 'KEY' })

    limit('1000')
    const refused = await create()
    const read = await call('GET')
    limit('unlimited')
    const kept = await create()

    expect([refused.status, read.status, kept.status]).toEqual([507, 200, 201])
    expect(await refused.json()).toMatchObject({ error: { code: 'insufficient_storage' } })
  },
  60_000,
)
