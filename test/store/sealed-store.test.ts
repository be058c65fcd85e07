import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { sealStore } from '../../src/service/store/sealed-store.ts'
import { TextSeal } from '../../src/service/store/text-seal.ts'
import { runCli } from '../support/run-cli.ts'
import { holdRequests } from './hold-requests.ts'
import { holdSealed, NEW, OLD, startSealed } from './hold-sealed.ts'
import { holdStore } from './hold-store.ts'
import { holdWork } from './hold-work.ts'
import { MemoryStore } from './memory/memory-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-sealed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = async () => sealStore(new MemoryStore(systemClock), new TextSeal([NEW, OLD]))

describe('a store that gets its texts sealed', () => {
  holdStore(open)
  holdWork(open)
  holdRequests(open)
})

it('keeps nothing of a simulation that the file shows, and takes another secret', async () => {
  const store = join(folder, 'sealed.db')

  await holdSealed(store, async () => readFileSync(store, 'latin1'))
})

it('says which secret is missing, and which is too short', async () => {
  const store = join(folder, 'other.db')
  await (await startSealed(store, [OLD])).close()

  const missing = 'is not among those of BACKLOT_SECRET_KEY'
  await expect(startSealed(store, [NEW])).rejects.toThrow(missing)
  await expect(startSealed(store)).rejects.toThrow(missing)
  await expect(startSealed(store, [OLD, 'short'])).rejects.toThrow(
    'Expected each secret key of the store to have at least 32 characters, got 5 in number 2. Make one by `openssl rand -base64 32`.',
  )
  await (await startSealed(store, [NEW, OLD])).close()
})

it('takes the secrets of `serve` from BACKLOT_SECRET_KEY', async () => {
  const store = join(folder, 'served.db')
  const check = (secrets: string) =>
    runCli(['serve', '--check', '--port', '0', '--store', store], { BACKLOT_SECRET_KEY: secrets })

  const [short, right] = await Promise.all([check(`${OLD},short`), check(`${NEW}, ${OLD}`)])

  expect([short.exitCode, right.exitCode]).toEqual([1, 0])
  expect(right.stdout).not.toContain('not sealed')
  expect(short.stdout + short.stderr).toContain('got 5 in number 2')
})

it('warns of a store that is not sealed', async () => {
  const check = await runCli(['serve', '--check', '--port', '0', '--store', join(folder, 'none.db')])

  expect(check.stdout).toContain('the store is not sealed')
})
