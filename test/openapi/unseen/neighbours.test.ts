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

it('counts a collection in a plain number', async () => {
  const call = await simulation.of(
    describeApi({
      '/activities': {
        get: answers(list(object({ id: 'string', name: 'string' }))),
        post: answers(object({ id: 'string' })),
      },
      '/activities/{id}': { ...inPath('id'), get: answers(object({ id: 'string', name: 'string' })), delete: DONE },
      '/activities/count': { get: answers({ type: 'integer' }) },
    }),
    { activities: 7 },
  )
  expect((await call('GET /activities/count')).body).toBe(7)

  await call('POST /activities')

  expect((await call('GET /activities/count')).body).toBe(8)
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

it('does to the records whose ids a body lists what the word before says', async () => {
  const execution = object({
    id: 'string',
    name: 'string',
    state: { type: 'string', enum: ['RUNNING', 'PAUSED', 'KILLED'] },
  })
  const ids = takes(list({ type: 'string' }))
  const call = await simulation.of(
    describeApi(
      {
        '/executions': {
          get: answers(list(by('Execution'))),
          post: { ...takes(by('Execution')), ...answers(by('Execution')) },
        },
        '/executions/{id}': { ...inPath('id'), get: answers(by('Execution')) },
        '/executions/pause/by-ids': { post: { ...ids, ...answers(object({ count: 'integer' })) } },
        '/executions/by-ids': { delete: { ...ids, ...answers(object({ count: 'integer' })) } },
      },
      { components: { schemas: { Execution: execution } } },
    ),
  )
  const { id } = (await call('POST /executions', { name: 'a', state: 'RUNNING' })).body

  await call('POST /executions/pause/by-ids', [id])
  expect((await call(`GET /executions/${id}`)).body.state).toBe('PAUSED')
  await call('DELETE /executions/by-ids', [id])
  expect((await call(`GET /executions/${id}`)).status).toBe(404)
})

it('keeps a document at a path that ends in a verb, where it is put and read', async () => {
  const plan = object({ cron: 'string', kind: 'string' })
  const call = await simulation.of(
    describeApi({
      '/system/scan/schedule': {
        get: answers(plan),
        post: { ...takes(plan), ...DONE },
        put: { ...takes(plan), ...DONE },
      },
    }),
  )

  await call('PUT /system/scan/schedule', { cron: '0 0 * * *', kind: 'daily' })

  expect((await call('GET /system/scan/schedule')).body).toEqual({ cron: '0 0 * * *', kind: 'daily' })
})

it('reads the state after an action from the values that it may have, also inside of a state', async () => {
  const state = (values: string[], rest = {}) => object({ current: { type: 'string', enum: values }, ...rest })
  const claim = object({
    id: 'string',
    title: 'string',
    status: { type: 'string', enum: ['Open', 'Hold', 'Approved', 'Canceled', 'Active'] },
  })
  const run = object({ id: 'string', title: 'string', state: state(['RUNNING', 'PAUSED'], { since: 'string' }) })
  const action = { responses: DONE.responses }
  const call = await simulation.of(
    describeApi({
      '/claims': { post: { ...takes(claim), ...answers(claim) } },
      '/claims/{id}': { ...inPath('id'), get: answers(claim) },
      '/claims/{id}/hold': { ...inPath('id'), post: action },
      '/claims/{id}/approval': { ...inPath('id'), post: action },
      '/claims/{id}/setupAndActivateClaim': { ...inPath('id'), post: action },
      '/claims/{id}/terminateClaim': { ...inPath('id'), post: action },
      '/runs': { post: { ...takes(run), ...answers(run) } },
      '/runs/{id}': { ...inPath('id'), get: answers(run) },
      '/runs/{id}/pause': { ...inPath('id'), post: action },
    }),
  )
  const { id } = (await call('POST /claims', { title: 'a', status: 'Open' })).body
  const statusAfter = async (verb: string) => {
    await call(`POST /claims/${id}/${verb}`)
    return (await call(`GET /claims/${id}`)).body.status
  }

  expect(await statusAfter('hold')).toBe('Hold')
  expect(await statusAfter('approval')).toBe('Approved')
  expect(await statusAfter('setupAndActivateClaim')).toBe('Active')
  expect(await statusAfter('terminateClaim')).toBe('Canceled')
  const made = (await call('POST /runs', { title: 'a', state: { current: 'RUNNING', since: 'today' } })).body
  await call(`POST /runs/${made.id}/pause`)
  expect((await call(`GET /runs/${made.id}`)).body.state).toEqual({ current: 'PAUSED', since: 'today' })
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

it('lists plain records where a path that lists says nothing of its answer', async () => {
  const silent = { responses: { 200: { description: 'ok' } } }
  const call = await simulation.of(
    describeApi({
      '/articles': { get: { ...silent, parameters: [{ in: 'query', name: 'page', schema: { type: 'integer' } }] } },
      '/flights': { get: { ...silent, summary: 'List all flights' } },
      '/preferences': { get: { ...silent, summary: 'View preferences' } },
    }),
  )

  expect((await call('GET /articles')).body.length).toBeGreaterThan(1)
  expect((await call('GET /flights')).body[0]).toMatchObject({ id: expect.anything() })
  expect((await call('GET /preferences')).body).toBeUndefined()
})
