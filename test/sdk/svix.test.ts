import { type ApiException, Svix } from 'svix'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDescriptions } from '../descriptions.ts'
import { type RunningSimulation, startSimulation } from './start-simulation.ts'

describe.skipIf(!hasDescriptions)('svix', () => {
  let simulation: RunningSimulation
  let svix: Svix
  beforeAll(async () => {
    simulation = await startSimulation('svix.json')
    svix = new Svix(simulation.key, { serverUrl: simulation.url, retryScheduleInMs: [] })
  })
  afterAll(() => simulation.close())

  it('creates, reads, changes, lists and deletes an application', async () => {
    const created = await svix.application.create({ name: 'Acme', uid: 'acme-1', metadata: { plan: 'pro' } })
    expect(created).toMatchObject({
      name: 'Acme',
      uid: 'acme-1',
      metadata: { plan: 'pro' },
      createdAt: expect.any(Date),
    })

    expect(await svix.application.get(created.id)).toEqual(created)
    expect((await svix.application.list()).data.map(({ id }) => id)).toContain(created.id)

    const changed = await svix.application.patch(created.id, { name: 'Acme Corp' })
    expect(changed).toMatchObject({ id: created.id, name: 'Acme Corp', uid: 'acme-1' })
    expect((await svix.application.update(created.id, { name: 'Acme Ltd' })).name).toBe('Acme Ltd')

    await svix.application.delete(created.id)
    await expect(svix.application.get(created.id)).rejects.toMatchObject({ code: 404 } satisfies Partial<
      ApiException<unknown>
    >)
  })

  it('keeps endpoints below their application', async () => {
    const app = await svix.application.create({ name: 'Endpoints' })
    const other = await svix.application.create({ name: 'Other' })

    const endpoint = await svix.endpoint.create(app.id, { url: 'https://example.com/hook', description: 'Orders' })

    expect(await svix.endpoint.get(app.id, endpoint.id)).toEqual(endpoint)
    expect((await svix.endpoint.list(app.id)).data).toEqual([endpoint])
    expect((await svix.endpoint.list(other.id)).data).toEqual([])
    expect((await svix.endpoint.patch(app.id, endpoint.id, { description: 'All orders' })).description).toBe(
      'All orders',
    )
    await svix.endpoint.delete(app.id, endpoint.id)
    await expect(svix.endpoint.get(app.id, endpoint.id)).rejects.toMatchObject({ code: 404 })
  })

  it('knows event types by the names that clients give', async () => {
    await svix.eventType.create({ name: 'invoice.paid', description: 'An invoice was paid' })

    expect(await svix.eventType.get('invoice.paid')).toMatchObject({
      name: 'invoice.paid',
      description: 'An invoice was paid',
    })
    await expect(svix.eventType.create({ name: 'invoice.paid', description: 'Again' })).rejects.toMatchObject({
      code: 409,
    })
  })

  it('walks over all pages', async () => {
    const app = await svix.application.create({ name: 'Pages' })
    const made: string[] = []
    for (let at = 0; at < 5; at++)
      made.push((await svix.message.create(app.id, { eventType: 'a.b', payload: { at } })).id)

    const seen: string[] = []
    let iterator: string | null | undefined
    do {
      const page = await svix.message.list(app.id, { limit: 2, ...(iterator && { iterator }) })
      seen.push(...page.data.map(({ id }) => id))
      iterator = page.done ? null : page.iterator
    } while (iterator)

    expect(seen.toSorted()).toEqual(made.toSorted())
  })

  it('refuses a wrong key', async () => {
    const stranger = new Svix('wrong', { serverUrl: simulation.url, retryScheduleInMs: [] })

    await expect(stranger.application.list()).rejects.toMatchObject({ code: 401 })
  })
})
