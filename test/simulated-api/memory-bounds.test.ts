import { expect, it } from 'vitest'
import type { ApiRequest } from '../../src/service/simulated-api/exchange.ts'
import { IdempotencyKeys, type RememberedAnswer } from '../../src/service/simulated-api/idempotency.ts'
import { type RateAccount, takeAllowance } from '../../src/service/simulated-api/rules/rate-limiter.ts'
import { ruleConfigs } from '../../src/service/simulated-api/rules/rule-config.ts'
import { JournaledMap } from '../../src/service/world/journaled-map.ts'

it('counts for 10,000 callers at most, and forgets who has not called for the longest time', () => {
  const accounts = new JournaledMap<RateAccount>()
  const config = ruleConfigs().rateLimit.parse({ limit: 1, windowSeconds: 3_600, scope: 'ip' })
  const isAllowed = (caller: string, at: number) => takeAllowance(accounts, caller, config, at).isAllowed

  isAllowed('first', 0)
  isAllowed('second', 1)
  const again = isAllowed('first', 2)
  for (let caller = 0; caller < 9_999; caller++) isAllowed(`${caller}`, 3)

  expect(accounts.size).toBe(10_000)
  expect([again, isAllowed('first', 4), isAllowed('second', 5)]).toEqual([false, false, true])
})

it('remembers answers to repeated requests up to 32 MiB, the latest always', () => {
  const answers = new JournaledMap<RememberedAnswer>()
  const keys = new IdempotencyKeys(answers)
  const request = { method: 'POST', path: '/notes', query: '', headers: {}, body: new Uint8Array() }
  const sent = { request: { ...request, ip: '::1', origin: 'http://localhost' } as ApiRequest, at: 0 }
  const answer = (size: number) => ({ status: 201, headers: {}, body: 'x'.repeat(size) })
  const isKnown = (name: string) => keys.recall(name, sent, {} as never) !== undefined

  keys.remember('small', sent, answer(10))
  for (let number = 0; number < 40; number++) keys.remember(`${number}`, sent, answer(1_048_000))
  const known = ['small', '0', '39'].map(isKnown)
  const count = answers.size
  keys.remember('huge', sent, answer(40_000_000))

  expect(known).toEqual([false, false, true])
  expect(count).toBe(32)
  expect([isKnown('huge'), answers.size]).toEqual([true, 1])
})

it('remembers bytes as text, which survives JSON, and gives them back as bytes for a day', () => {
  const answers = new JournaledMap<RememberedAnswer>()
  const request = { method: 'POST', path: '/files', query: '', headers: {}, body: new Uint8Array() }
  const sent = { request: { ...request, ip: '::1', origin: 'http://localhost' } as ApiRequest, at: 0 }
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  new IdempotencyKeys(answers).remember('file', sent, { status: 201, headers: { ETag: '"1"' }, body: bytes })

  const carried = new JournaledMap<RememberedAnswer>()
  carried.apply(JSON.parse(JSON.stringify(answers.dump())))
  const recall = (at: number) => new IdempotencyKeys(carried).recall('file', { ...sent, at }, {} as never)
  const recalled = recall(86_400_000)

  expect(recalled).toMatchObject({ status: 201, headers: { ETag: '"1"' } })
  expect(Uint8Array.from(recalled?.body as Uint8Array)).toEqual(bytes)
  expect(recall(86_400_001)).toBeUndefined()
})
