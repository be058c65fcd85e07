import { expect, it } from 'vitest'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const mapping = object(
  { id: 'string', org: 'string', orgID: 'string', label: 'string' },
  { oneOf: [{ required: ['orgID', 'label'] }, { required: ['org', 'label'] }] },
)

it('shows of fields that exclude each other only one', async () => {
  const call = await simulation.of(
    describeApi({
      '/mappings': {
        get: answers({ type: 'array', items: mapping }),
        post: { ...takes(mapping), ...answers(mapping) },
      },
      '/mappings/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
        get: answers(mapping),
      },
    }),
  )

  const seeded = (await call('GET /mappings')).body
  const made = (await call('POST /mappings', { org: 'Acme', label: 'own' })).body

  for (const one of [...seeded, made]) {
    expect([one.org, one.orgID].filter((value) => value !== undefined)).toHaveLength(1)
    expect(typeof one.label).toBe('string')
  }
  expect((await call(`GET /mappings/${made.id}`)).body).toMatchObject({ org: 'Acme', label: 'own' })
})
