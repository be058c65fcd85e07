import { expect, it } from 'vitest'
import { startForTest } from './start-for-test.ts'

const rule = (name: string, pathPattern: string) => ({
  name,
  kind: 'latency',
  method: '*',
  pathPattern,
  config: { latencyMs: 1 },
})

it('tells in the note and by itself which response rules no operation can meet', async () => {
  const { create } = await startForTest()

  const made = await create({ library: 'task-tracker', rules: [rule('fine', '/tasks*'), rule('slow', '/taks')] })

  const warning = expect.stringMatching(
    /^Response rule "slow" will not act: No operation of this API matches \* \/taks\. Nearest are \w+ \/tasks/,
  )
  expect(made.warnings).toEqual([warning])
  expect(made.note).toBe(`Store this key now: it is shown only once. ${made.warnings?.[0]}`)
})

it('has no warnings where everything can act', async () => {
  const { create } = await startForTest()

  const made = await create({ library: 'task-tracker', rules: [rule('all', '*')] })

  expect(made).not.toHaveProperty('warnings')
})
