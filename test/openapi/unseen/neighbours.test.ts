import { expect, it } from 'vitest'
import { answers, by, describeApi, inPath, list, modelOf, object, operationAt, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const DONE = { responses: { 204: { description: 'done' } } }

it('changes a parent in the same request in which its list takes a new child', async () => {
  const playback = object({ id: 'string', policy: 'string', token: 'string', url: 'string' })
  const asset = object({
    id: 'string',
    title: 'string',
    status: { type: 'string', enum: ['draft', 'published'] },
    playbacks: list(by('Playback')),
  })
  const call = await simulation.of(
    describeApi(
      {
        '/assets': { get: answers(list(by('Asset'))), post: { ...takes(by('Asset')), ...answers(by('Asset')) } },
        '/assets/{id}': { ...inPath('id'), get: answers(by('Asset')) },
        '/assets/{id}/playbacks': {
          ...inPath('id'),
          get: answers(list(by('Playback'))),
          post: answers(by('Playback')),
        },
        '/assets/{id}/playbacks/{playbackId}': { ...inPath('id', 'playbackId'), get: answers(by('Playback')) },
        '/assets/{id}/publish': { ...inPath('id'), post: { operationId: 'publishAsset', ...answers(by('Playback')) } },
      },
      { components: { schemas: { Playback: playback, Asset: asset } } },
    ),
  )
  const { id } = (await call('POST /assets', { title: 'a', status: 'draft', playbacks: [] })).body

  const made = (await call(`POST /assets/${id}/publish`)).body

  expect((await call(`GET /assets/${id}`)).body).toMatchObject({ status: 'published', playbacks: [{ id: made.id }] })
})

it('looks up by the same field in the collection above, whatever others have it', () => {
  const user = object({ id: 'string', name: 'string', external_id: 'string', metadata: 'object' })
  const organization = object({ id: 'string', name: 'string', external_id: 'string', metadata: 'object' })
  const model = modelOf(
    {
      '/organizations/{id}': { ...inPath('id'), get: answers(by('Organization')) },
      '/organizations/external_id/{external_id}': { ...inPath('external_id'), get: answers(by('Organization')) },
      '/users/{id}': { ...inPath('id'), get: answers(by('User')) },
      '/users/external_id/{external_id}': { ...inPath('external_id'), get: answers(by('User')) },
    },
    { components: { schemas: { User: user, Organization: organization } } },
  )

  expect(operationAt(model, 'GET /users/external_id/{external_id}').effect).toMatchObject({ collection: 'users' })
})

it('knows a record by its own id, not by the key of the record around it', () => {
  const addon = object({ id: 'string', name: 'string', subscriptionId: 'string' })
  const model = modelOf({
    '/subscriptions/{subscriptionId}': { ...inPath('subscriptionId'), get: answers(object({ id: 'string' })) },
    '/subscriptions/{subscriptionId}/addons': { ...inPath('subscriptionId'), get: answers(list(addon)) },
    '/subscriptions/{subscriptionId}/addons/{subscriptionAddonId}': {
      ...inPath('subscriptionId', 'subscriptionAddonId'),
      get: answers(addon),
    },
  })

  expect(model.collections.find(({ name }) => name === 'addons')?.id.field).toEqual(['id'])
  const { effect } = operationAt(model, 'GET /subscriptions/{subscriptionId}/addons/{subscriptionAddonId}')
  expect(effect).toMatchObject({ keys: [{ param: 'subscriptionAddonId', field: undefined }] })
})

it('replaces a list whose items have no key', async () => {
  const rule = object({ policy: 'string', port: 'string' })
  const call = await simulation.of(
    describeApi({
      '/networks/{id}': { ...inPath('id'), get: answers(object({ id: 'string' })) },
      '/networks': { get: answers(list(object({ id: 'string' }))) },
      '/networks/{id}/firewallRules': {
        ...inPath('id'),
        get: answers(list(rule)),
        put: {
          operationId: 'updateNetworkFirewallRules',
          ...takes(object({ rules: list(rule) })),
          ...answers(list(rule)),
        },
      },
    }),
  )
  const [{ id }] = (await call('GET /networks')).body
  const rules = [
    { policy: 'allow', port: '80' },
    { policy: 'deny', port: 'any' },
  ]

  expect((await call(`PUT /networks/${id}/firewallRules`, { rules })).status).toBe(200)
  await call(`PUT /networks/${id}/firewallRules`, { rules })
  const shown = (await call(`GET /networks/${id}/firewallRules`)).body
  await call(`PUT /networks/${id}/firewallRules`, { rules: [] })

  expect(shown).toHaveLength(2)
  expect(shown).toEqual(expect.arrayContaining(rules))
  expect((await call(`GET /networks/${id}/firewallRules`)).body).toEqual([])
})

it('takes a noun that begins with a verb for a noun where its records are changed and deleted by their key', async () => {
  const one = object({ id: 'string', name: 'string', enabled: 'boolean' })
  const call = await simulation.of(
    describeApi(
      {
        '/kill-switches': {
          post: { operationId: 'createKillSwitch', ...takes(by('KillSwitch')), ...answers(by('KillSwitch')) },
        },
        '/kill-switches/search': { get: answers(object({ results: list(by('KillSwitch')), total: 'integer' })) },
        '/kill-switches/{id}': {
          ...inPath('id'),
          put: { operationId: 'updateKillSwitch', ...takes(by('KillSwitch')), ...answers(by('KillSwitch')) },
          delete: DONE,
        },
      },
      { components: { schemas: { KillSwitch: one } } },
    ),
  )
  const { id } = (await call('POST /kill-switches', { name: 'a', enabled: true })).body

  await call(`PUT /kill-switches/${id}`, { id, name: 'b', enabled: false })

  expect((await call('GET /kill-switches/search')).body.results).toContainEqual({ id, name: 'b', enabled: false })
})

it('shows what was made without an owner in the list of each, which requires one', async () => {
  const mapping = object({ id: 'string', database: 'string', orgID: 'string' })
  const call = await simulation.of(
    describeApi({
      '/mappings': {
        get: {
          ...answers(list(mapping)),
          parameters: [{ in: 'query', name: 'orgID', required: true, schema: { type: 'string' } }],
        },
        post: { ...takes(object({ database: 'string' })), ...answers(object({ id: 'string', database: 'string' })) },
      },
      '/mappings/{id}': { ...inPath('id'), get: answers(mapping) },
    }),
  )
  const { id } = (await call('POST /mappings', { database: 'main' })).body
  const known = (await call(`GET /mappings/${id}`)).body.orgID ?? 'any'

  expect((await call(`GET /mappings?orgID=${known}`)).body).toContainEqual(expect.objectContaining({ id }))
})
