import { DiscordAPIError, REST } from '@discordjs/rest'
import { Routes } from 'discord-api-types/v10'
import { verifyKey } from 'discord-interactions'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { type SeenRequest, startAnswering } from '../support/answering.ts'

const GENERAL = '1000000000000000020'

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('discord')
  const rest = new REST({ api: `${simulation.url}/api`, version: '10' }).setToken(simulation.key)
  const act = (path: string, body: object) =>
    simulation.fetch(`/test_helpers/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { simulation, rest, act }
}

/** Whether Discord's verifier accepts a delivery. */
const accepts = (publicKey: string, { body, headers }: SeenRequest): Promise<boolean> =>
  verifyKey(
    Buffer.from(body),
    String(headers['x-signature-ed25519']),
    String(headers['x-signature-timestamp']),
    publicKey,
  )

/** What an application answers: to a PING itself, to a command a message. */
const replyTo = (body: string) =>
  JSON.parse(body).type === 1 ? { type: 1 } : { type: 4, data: { content: 'You rolled 6' } }

it('sends interactions to the endpoint of the application, signed with the key that it shows', async () => {
  const { simulation, rest, act } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using app = await startAnswering(({ body }, _at, response) => void response.end(JSON.stringify(replyTo(body))))
  const endpoint = `${app.url}/interactions`
  const { id, verify_key: key } = (await rest.get(Routes.currentApplication())) as { id: string; verify_key: string }
  await rest.patch(Routes.currentApplication(), { body: { interactions_endpoint_url: endpoint } })
  await rest.post(Routes.applicationCommands(id), { body: { name: 'roll', description: 'Rolls a die' } })

  await act('interactions', { name: 'roll' })
  await act('events', { type: 'APPLICATION_AUTHORIZED' })
  await simulation.webhooks.settled()

  expect(app.seen.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 1 },
    { type: 2, application_id: id, data: { name: 'roll' }, channel_id: GENERAL, member: { user: { username: 'ada' } } },
  ])
  const original = Routes.webhookMessage(id, String(JSON.parse(String(app.seen[1]?.body)).token), '@original')
  const [message] = (await rest.get(Routes.channelMessages(GENERAL))) as { id: string }[]
  expect(message).toMatchObject({ content: 'You rolled 6', author: { bot: true }, type: 20 })
  expect(await rest.get(original)).toMatchObject({ id: message?.id })
  expect(await accepts(key, app.seen[0] as SeenRequest)).toBe(true)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
})

it('sends nothing to an endpoint that does not answer its PING', async () => {
  const { simulation, rest, act } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using app = await startAnswering((_request, _at, response) => void response.end())
  await rest.patch(Routes.currentApplication(), { body: { interactions_endpoint_url: app.url } })
  const { id } = (await rest.get(Routes.currentApplication())) as { id: string }
  await rest.post(Routes.applicationCommands(id), { body: { name: 'roll', description: 'Rolls a die' } })

  await act('interactions', { name: 'roll' })
  await simulation.webhooks.settled()

  expect(app.seen.map(({ body }) => JSON.parse(body))).toEqual([{ type: 1 }])
})

it('gives ids that carry the time of the world, in the order in which messages came', async () => {
  const { simulation, rest } = await open()
  const send = async () =>
    (await rest.post(Routes.channelMessages(GENERAL), { body: { content: 'hi' } })) as { id: string }
  const timeOf = ({ id }: { id: string }) => Number(BigInt(id) >> 22n) + 1_420_070_400_000
  const burst = [await send(), await send(), await send()]
  const before = Date.now()

  await simulation.fastForward({ days: 3 })
  const late = await send()

  expect(burst.map(({ id }) => id).toSorted()).toEqual(burst.map(({ id }) => id))
  expect(Math.abs(timeOf(burst[2] as { id: string }) - before)).toBeLessThan(60_000)
  expect(timeOf(late) - before).toBeGreaterThan(2.9 * 86_400_000)
})

it('tells errors as the SDK reads them', async () => {
  const { rest } = await open()
  const body = { content: 'x'.repeat(2_001) }

  const error: unknown = await rest.post(Routes.channelMessages(GENERAL), { body }).catch((reason: unknown) => reason)

  expect(error).toBeInstanceOf(DiscordAPIError)
  expect(error).toMatchObject({
    code: 50_035,
    status: 400,
    message: expect.stringContaining('content[BASE_TYPE_MAX_LENGTH]'),
  })
})

it('refuses what the role of the bot does not allow', async () => {
  const { simulation, rest } = await open()
  const codeOf = (answer: Promise<unknown>) => answer.catch((error: DiscordAPIError) => error.code)
  await simulation.update('roles', '1000000000000000050', { permissions: String((1 << 11) | (1 << 13)) })
  await simulation.update('roles', '1000000000000000010', { permissions: String(1 << 10) })

  const kick = await codeOf(rest.delete(Routes.guildMember('1000000000000000010', '1000000000000000031')))
  const sent = await rest.post(Routes.channelMessages(GENERAL), { body: { content: 'hello' } })
  const unpin = await codeOf(rest.delete(`/channels/${GENERAL}/pins/${(sent as { id: string }).id}`))
  await simulation.update('roles', '1000000000000000050', { permissions: String(1n << 51n) })
  await rest.put(`/channels/${GENERAL}/messages/pins/${(sent as { id: string }).id}`)
  const [notice] = (await rest.get(Routes.channelMessages(GENERAL))) as object[]
  const overwrite = { id: '1000000000000000010', type: 0, allow: '0', deny: String(1 << 10) }
  await simulation.update('channels', GENERAL, { permission_overwrites: [overwrite] })
  const read = await codeOf(rest.get(Routes.channel(GENERAL)))

  expect([kick, unpin, read]).toEqual([50013, 50013, 50001])
  expect(sent).toMatchObject({ content: 'hello' })
  expect(notice).toMatchObject({ type: 6 })
  expect(notice).not.toHaveProperty('referenced_message')
})
