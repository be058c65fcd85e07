import { expect, it } from 'vitest'
import { createSimulation, type JsonObject, type Simulation } from '../../src/index.ts'
import { DESCRIPTIONS, hasDescriptions } from '../descriptions.ts'

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const answers = (status: number, schema: object) => ({
  responses: { [status]: { description: 'ok', ...json(schema) } },
})
const JARS = {
  openapi: '3.1.0',
  info: { title: 'Jars', version: '1' },
  paths: {
    '/jars': {
      get: answers(200, { type: 'array', items: { type: 'object' } }),
      post: { requestBody: json(ref('NewJar')), ...answers(201, ref('Jar')) },
    },
    '/jars/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: answers(200, ref('Jar')),
      patch: { requestBody: json(ref('ChangedJar')), ...answers(200, {}) },
    },
  },
  components: {
    schemas: {
      NewJar: {
        type: 'object',
        required: ['fruit'],
        properties: { fruit: text, notes: text, notify: { type: 'boolean' }, pin: { ...text, writeOnly: true } },
      },
      ChangedJar: { type: 'object', properties: { fruit: text, notes: text } },
      Jar: {
        type: 'object',
        required: ['id', 'fruit'],
        properties: { id: text, fruit: text, sealed: { type: 'boolean' } },
      },
    },
  },
}

async function ask(simulation: Simulation, method: string, path: string, body?: object): Promise<JsonObject> {
  const answer = await simulation.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
  expect(answer.ok, `${method} ${path}: ${answer.ok ? '' : await answer.clone().text()}`).toBe(true)
  return (await answer.json()) as JsonObject
}

it('shows a record in one form, wherever the description has no other', async () => {
  await using api = await createSimulation({ spec: JARS }, { volume: { jars: 0 } })

  const made = await ask(api, 'POST', '/jars', { fruit: 'plum', notes: 'ripe', notify: true, pin: '1' })
  const { object } = (await api.expectWebhook('jar.created')).data
  const list = await ask(api, 'GET', '/jars')

  expect(made).toEqual({ id: made.id, fruit: 'plum', sealed: false, notes: 'ripe' })
  expect(object).toEqual(made)
  expect(list).toEqual([made])
  expect(await ask(api, 'GET', `/jars/${made.id}`)).toEqual(made)
  expect(await ask(api, 'PATCH', `/jars/${made.id}`, { notes: 'dried' })).toEqual({ ...made, notes: 'dried' })
})

it.skipIf(!hasDescriptions).each([
  ['gitea.json', '/repos/{owner}/{repo}/hooks', { type: 'gitea', config: { url: 'x' } }, { branch_filter: 'main' }],
  [
    'spree-admin.yaml',
    '/api/v3/admin/markets',
    { name: 'EU', currency: 'EUR', default_locale: 'de', country_codes: ['DE'] },
    { position: 3 },
  ],
  ['resend.yaml', '/domains', { name: 'example.com' }, { tls: 'enforced' }],
])(
  'shows what creations and changes of %s both take, though the schema of the record lacks it',
  async (file, path, required, sent) => {
    await using api = await createSimulation({ spec: `${DESCRIPTIONS}${file}` })
    const [repo] = path.includes('{') ? await api.records('repos') : []
    const owner = (repo?.owner as JsonObject | undefined)?.login
    const filled = path.replace('{owner}', String(owner)).replace('{repo}', String(repo?.name))

    const { id } = await ask(api, 'POST', filled, { ...required, ...sent })

    expect(await ask(api, 'GET', `${filled}/${id}`)).toMatchObject(sent)
  },
)
