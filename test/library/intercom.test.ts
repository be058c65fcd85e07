import { IntercomClient, IntercomError } from 'intercom-client'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'

const admin_id = '991267001'

async function open() {
  const { simulate } = await startForTest({ workerSinks: true })
  const simulation = await simulate('intercom')
  const client = new IntercomClient({ token: simulation.key, environment: simulation.url, maxRetries: 0 })
  return { simulation, client }
}

/** A conversation that a new contact began. */
async function begin(client: IntercomClient) {
  const { id } = await client.contacts.create({ email: 'joan@shop.example', name: 'Joan' })
  const from = { type: 'user', id: String(id) } as const
  const { conversation_id } = await client.conversations.create({ from, body: 'It broke' })
  return { contact: String(id), conversation_id: String(conversation_id) }
}

it('ends a snooze at its own time, and tells it', async () => {
  const { simulation, client } = await open()
  const { conversation_id } = await begin(client)
  const snoozed_until = Math.floor(Date.now() / 1000) + 7200
  const body = { message_type: 'snoozed', type: 'admin', admin_id, snoozed_until } as const
  await client.conversations.manage({ conversation_id, body })

  await simulation.fastForward({ hours: 1 })
  const before = await client.conversations.find({ conversation_id })
  await simulation.fastForward({ hours: 2 })
  const after = await client.conversations.find({ conversation_id })

  expect(before).toMatchObject({ state: 'snoozed', snoozed_until })
  expect(after).toMatchObject({ state: 'open', snoozed_until: null })
  const parts = after.conversation_parts?.conversation_parts ?? []
  expect(parts.map(({ part_type }) => part_type)).toEqual(['snoozed', 'timer_unsnooze'])
  expect(parts[1]?.created_at).toBe(snoozed_until)
  const { rawBody } = await simulation.expectWebhook('conversation.admin.unsnoozed')
  expect(JSON.parse(Buffer.from(rawBody).toString())).toMatchObject({
    type: 'notification_event',
    topic: 'conversation.admin.unsnoozed',
    data: { type: 'notification_event_data', item: { id: conversation_id, state: 'open' } },
  })
})

it('throws the error of the SDK, with the code of the provider', async () => {
  const { client } = await open()

  const missing = await client.contacts.find({ contact_id: 'nobody' }).catch((error: unknown) => error)

  expect(missing).toBeInstanceOf(IntercomError)
  expect(missing).toMatchObject({
    statusCode: 404,
    body: { type: 'error.list', errors: [{ code: 'not_found', message: 'User Not Found' }] },
  })
})

it('moves the conversations of a lead to the user that it is merged into', async () => {
  const { client } = await open()
  const { contact } = await begin(client)
  const lead = await client.contacts.create({ role: 'lead', name: 'Visitor', phone: '+15005550006' })
  const from = { type: 'lead', id: String(lead.id) } as const
  const { conversation_id } = await client.conversations.create({ from, body: 'Hello' })

  const merged = await client.contacts.mergeLeadInUser({ from: String(lead.id), into: contact })

  expect(merged).toMatchObject({ id: contact, role: 'user', name: 'Joan', phone: '+15005550006' })
  expect(await client.conversations.find({ conversation_id: String(conversation_id) })).toMatchObject({
    contacts: { contacts: [{ id: contact }] },
  })
})

it('notifies of a reply with its part alone', async () => {
  const { simulation, client } = await open()
  const { contact, conversation_id } = await begin(client)
  const admin = { message_type: 'comment', type: 'admin', admin_id, body: 'Try again' } as const
  const user = { message_type: 'comment', type: 'user', intercom_user_id: contact, body: 'It works' } as const

  await client.conversations.reply({ conversation_id, body: admin })
  await client.conversations.reply({ conversation_id, body: user })

  const { rawBody } = await simulation.expectWebhook('conversation.user.replied')
  const { conversation_parts } = JSON.parse(Buffer.from(rawBody).toString()).data.item
  expect(conversation_parts).toMatchObject({ total_count: 1, conversation_parts: [{ body: '<p>It works</p>' }] })
})

it('accepts an event with an empty answer', async () => {
  const { simulation, client } = await open()
  const { contact: id } = await begin(client)
  const body = JSON.stringify({ event_name: 'invited-friend', created_at: 1_700_000_000, id })

  const answer = await simulation.fetch('/events', { method: 'POST', body })

  expect([answer.status, await answer.text()]).toEqual([202, ''])
})
