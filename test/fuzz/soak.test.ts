import { expect, it } from 'vitest'
import { runSoak } from './soak/run-soak.ts'
import { SOAK_FAULTS } from './soak/soak-faults.ts'

// A second is no soak, which `npm run soak` is: it shows that one would notice.
it('ends with a line of figures, and notices memory, a handle and an answer that should not be', async () => {
  const { line, problems } = await runSoak({ seconds: 1, faults: SOAK_FAULTS })

  expect(line).toMatch(
    /^soak: \d+ requests in 1 s, \d+ deliveries; errors .+; memory \d+\/\d+\/\d+ MB at start\/peak\/end; pauses p99 \d+ ms, max \d+ ms; 1 Timeout leaked handles; 3 problems$/,
  )
  expect(problems).toEqual([
    expect.stringMatching(/^memory grew by \d+ MB, more than 50$/),
    'left after close: 1 Timeout',
    expect.stringMatching(/^GET \/tasks 418: 418 /),
  ])
})
