import { expect, it } from 'vitest'
import { runSoak, type SoakFault } from './soak/run-soak.ts'

/** Long enough for every kind of client, and not for a soak: `npm run soak` is one. */
const SECONDS = 1

it('ends with a line of figures', { timeout: 60_000 }, async () => {
  const { line, problems } = await runSoak({ seconds: SECONDS })

  expect(problems).toEqual([])
  expect(line).toMatch(
    /^soak: \d+ requests in 1 s, \d+ deliveries; errors .+; memory \d+\/\d+\/\d+ MB at start\/peak\/end; pauses p99 \d+ ms, max \d+ ms; no leaked handles; 0 problems$/,
  )
})

it.each<[SoakFault, RegExp]>([
  ['memory', /^memory grew by \d+ MB, more than 50$/],
  ['handle', /^left after close: 1 Timeout$/],
  ['answer', /^GET \/tasks 418: 418 /],
])('notices a fault of %s', { timeout: 60_000 }, async (fault, problem) => {
  const { problems } = await runSoak({ seconds: SECONDS, fault })

  expect(problems).toContainEqual(expect.stringMatching(problem))
})
