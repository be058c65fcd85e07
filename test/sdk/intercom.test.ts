import { IntercomClient } from 'intercom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDescriptions } from '../descriptions.ts'
import { type RunningSimulation, startSimulation } from './start-simulation.ts'

describe.skipIf(!hasDescriptions)('intercom-client', () => {
  let simulation: RunningSimulation
  let intercom: IntercomClient
  beforeAll(async () => {
    simulation = await startSimulation('intercom-2.15.yaml')
    intercom = new IntercomClient({ token: simulation.key, environment: simulation.url, maxRetries: 0 })
  })
  afterAll(() => simulation.close())

  it('creates, finds, changes, lists and deletes a contact', async () => {
    const created = await intercom.contacts.create({ email: 'ada@example.com', name: 'Ada', role: 'user' })
    const contact_id = created.id as string

    expect(await intercom.contacts.find({ contact_id })).toMatchObject({ id: contact_id, email: 'ada@example.com' })
    expect(await intercom.contacts.update({ contact_id, name: 'Augusta' })).toMatchObject({ name: 'Augusta' })
    const page = await intercom.contacts.list()
    expect(page.data.map(({ id }) => id)).toContain(contact_id)
    expect(await intercom.contacts.delete({ contact_id })).toMatchObject({ id: contact_id, deleted: true })
    await expect(intercom.contacts.find({ contact_id })).rejects.toMatchObject({ statusCode: 404 })
  })

  it('searches contacts by a query', async () => {
    const { id } = await intercom.contacts.create({ email: 'grace@example.com', name: 'Grace', role: 'user' })

    const found = await intercom.contacts.search({
      query: { field: 'email', operator: '=', value: 'grace@example.com' },
    })

    expect(found.data.map((contact) => contact.id)).toEqual([id])
  })

  it('creates, reads, changes and deletes an article', async () => {
    const created = await intercom.articles.create({
      title: 'Welcome',
      author_id: 1,
      body: '<p>Hi</p>',
      state: 'published',
    })
    const article_id = Number(created.id)

    expect(await intercom.articles.find({ article_id })).toMatchObject({ title: 'Welcome', state: 'published' })
    expect(await intercom.articles.update({ article_id, title: 'Hello' })).toMatchObject({ title: 'Hello' })
    expect(await intercom.articles.delete({ article_id })).toMatchObject({ deleted: true })
  })

  it('tags are kept', async () => {
    const tag = await intercom.tags.create({ name: 'VIP' })

    const tags = await intercom.tags.list()
    expect(tags.data?.map(({ name }) => name)).toContain('VIP')
    expect(await intercom.tags.find({ tag_id: tag.id as string })).toMatchObject({ name: 'VIP' })
  })
})
