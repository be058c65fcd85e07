import { expect, it } from 'vitest'
import * as z from 'zod'
import { behaviourStep } from '../../src/protocol/behaviour.ts'
import { parseRequest } from '../../src/protocol/parse-request.ts'
import { libraryQuery } from '../../src/protocol/reads.ts'
import { responseRuleRequest } from '../../src/protocol/response-rule.ts'
import { createSimulationRequest, fastForwardRequest } from '../../src/protocol/simulation.ts'

const messageOf = (schema: z.ZodType, value: unknown, subject?: string): string => {
  try {
    parseRequest(schema, value, subject)
  } catch (error) {
    return (error as Error).message
  }
  return 'no fault'
}

it.each([
  [{ hours: 0.1 }, 'Expected `hours` to be from 0.25 to 720, got 0.1.'],
  [{ hours: 721 }, 'Expected `hours` to be from 0.25 to 720, got 721.'],
  [{ hours: '3' }, 'Expected `hours` to be a number from 0.25 to 720, got "3".'],
  [{ hours: null }, 'Expected `hours` to be a number from 0.25 to 720, got null.'],
  [{}, 'Expected `hours` to be a number from 0.25 to 720, got nothing.'],
  [null, 'Expected the body to be an object, got null.'],
  [[1, 2], 'Expected the body to be an object, got an array of 2 items.'],
])('names field, bound and value of %j', (value, message) => {
  expect(messageOf(fastForwardRequest, value)).toBe(message)
})

it.each([
  [{ name: '' }, 'Expected `name` to have 1 to 500 characters, got 0.'],
  [{ instructions: 'x'.repeat(2001) }, 'Expected `instructions` to have at most 2,000 characters, got 2,001.'],
  [{ ipAllowlist: Array(51).fill('::1') }, 'Expected `ipAllowlist` to have at most 50 items, got 51.'],
  [{ ipAllowlist: ['::1', 3] }, 'Expected `ipAllowlist[1]` to be a string, got 3.'],
  [{ volume: { tasks: -1 } }, 'Expected `volume.tasks` to be from 0 to 1,000,000, got -1.'],
  [{ volume: { tasks: 1.5 } }, 'Expected `volume.tasks` to be a whole number from 0 to 1,000,000, got 1.5.'],
  [{ seed: true }, 'Expected `seed` to be a string or a number, got true.'],
  [{ epoch: 'today' }, 'Expected `epoch` to be an ISO 8601 date and time with its offset, got "today".'],
  [{ validation: 'lax' }, 'Expected `validation` to be one of `strict`, `warn`, `off`, got "lax".'],
  [{ slug: 'A b' }, 'Expected `slug` to be a DNS label: 1 to 63 of a-z, 0-9 and -, not at the ends, got "A b".'],
  [{ seedRecords: { tasks: [1] } }, 'Expected `seedRecords.tasks[0]` to be an object, got 1.'],
])('explains %j', (value, message) => {
  expect(messageOf(createSimulationRequest, { library: 'crm', ...value })).toBe(message)
})

it('names the first fault and counts the others', () => {
  expect(messageOf(createSimulationRequest, { name: '', slug: '-', useModel: 1 })).toBe(
    'Expected `name` to have 1 to 500 characters, got 0. 2 more faults found.',
  )
})

it('names a field that is not known before what is missing, and the value that was probably meant', () => {
  const config = z.strictObject({ latencyMs: z.int(), mode: z.enum(['fixed', 'normal']).optional() })

  expect(messageOf(config, { latency: 5 }, 'config')).toBe(
    'Expected `config` to have no field "latency", got one. Did you mean "latencyMs"? It may have latencyMs, mode. 1 more fault found.',
  )
  expect(messageOf(config, { latencyMs: 5, mode: 'fixd' }, 'config')).toBe(
    'Expected `config.mode` to be one of `fixed`, `normal`, got "fixd". Did you mean "fixed"?',
  )
})

it('shows no long value whole', () => {
  expect(messageOf(createSimulationRequest, { slug: 'x'.repeat(5000) })).toMatch(/got a text of 5,000 characters\.$/)
})

it('names query parameters as they were sent', () => {
  expect(messageOf(libraryQuery, { limit: 'many' }, 'the query')).toBe(
    'Expected `limit` to be a whole number from 1 to 200, got "many".',
  )
})

it('puts the name of a part before its fields', () => {
  expect(messageOf(z.object({ latencyMs: z.int().min(0).max(10) }), { latencyMs: 11 }, 'config')).toBe(
    'Expected `config.latencyMs` to be from 0 to 10, got 11.',
  )
})

it('follows a discriminated union to the branch that was meant', () => {
  expect(messageOf(behaviourStep, { kind: 'delete', collection: 'tasks', fraction: 2 }, 'the step')).toBe(
    'Expected `fraction` to be from 0 to 1, got 2.',
  )
  expect(messageOf(behaviourStep, { kind: 'explode' }, 'the step')).toMatch(/^Expected `kind` to be one of `create`, /)
})

it('says what an unknown kind of response rule may be', () => {
  const rule = { name: 'Slow', kind: 'slow', method: 'GET', pathPattern: '/*', config: {} }

  expect(messageOf(responseRuleRequest, rule)).toMatch(
    /^Expected `kind` to be one of `latency`, .*, got "slow"\. Did you mean "slowBody"\?$/,
  )
})

it('ignores fields that it does not know', () => {
  expect(parseRequest(fastForwardRequest, { hours: 1, days: 4 })).toEqual({ hours: 1 })
})
