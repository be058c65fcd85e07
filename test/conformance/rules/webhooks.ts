import { expect } from 'vitest'
import type { Section } from '../rule.ts'
import { KEYS } from '../target.ts'

/** An address that is public and refuses to be reached: nothing is dialled while registering. */
const PUBLIC_URL = 'https://8.8.8.8/hook'

/** Specification, POST webhooks. */
export const webhooks: Section = {
  title: 'POST webhooks',
  declare: (rule) => {
    rule('returns 201 with id, url, events, secret and note', async ({ call, create }) => {
      const { id } = await create()
      const events = ['task.created', 'task.*', '*']

      expect(await call('POST', `/v1/simulations/${id}/webhooks`, { body: { url: PUBLIC_URL, events } })).toMatchObject(
        {
          status: 201,
          body: {
            id: expect.any(String),
            url: PUBLIC_URL,
            events,
            secret: expect.stringMatching(/^whsec_/),
            note: expect.stringMatching(/Svc-Signature/),
          },
        },
      )
    })

    rule('the detail read lists webhooks without their secrets', async ({ call, create, detail }) => {
      const { id } = await create()
      const body = { url: PUBLIC_URL, events: ['task.*'] }
      const registered = (await call('POST', `/v1/simulations/${id}/webhooks`, { body })).body

      const { webhooks: listed } = await detail(id)

      expect(listed).toEqual([{ id: registered.id, url: PUBLIC_URL, events: ['task.*'] }])
      expect(JSON.stringify(await detail(id))).not.toContain(registered.secret)
    })

    rule(
      'a URL at a private, loopback, link-local or metadata address gives 400 unsafe_url',
      async ({ call, create }) => {
        const { id } = await create()
        const hosts = [
          '127.0.0.1',
          '127.1',
          '2130706433',
          '0x7f.1',
          '10.0.0.1',
          '172.16.0.1',
          '192.168.1.1',
          '169.254.169.254',
          '100.64.0.1',
          '0.0.0.0',
          '[::1]',
          '[::]',
          '[fe80::1]',
          '[fc00::1]',
          '[::ffff:127.0.0.1]',
          '[64:ff9b::7f00:1]',
          'localhost',
          'LOCALHOST.',
          'a.localhost',
          'metadata.google.internal',
        ]

        for (const host of hosts) {
          const body = { url: `https://${host}/hook`, events: ['*'] }
          const answer = await call('POST', `/v1/simulations/${id}/webhooks`, { body })
          expect([host, answer.status, answer.body.error.code]).toEqual([host, 400, 'unsafe_url'])
        }
      },
    )

    rule('a URL that is no https URL gives 400 invalid_request', async ({ call, create }) => {
      const { id } = await create()
      const urls = [
        'http://8.8.8.8/hook',
        'ftp://8.8.8.8/',
        'javascript:alert(1)',
        'not a url',
        '',
        'https://',
        'https://user:pass@8.8.8.8/',
      ]

      for (const url of urls) {
        const answer = await call('POST', `/v1/simulations/${id}/webhooks`, { body: { url, events: ['*'] } })
        expect([url, answer.status, answer.body.error.code]).toEqual([url, 400, 'invalid_request'])
        expect(answer.body.error.message).toContain('`url`')
      }
    })

    rule(
      'events are exact names, <prefix>.* or *; anything else gives 400 invalid_request',
      async ({ call, create }) => {
        const { id } = await create()
        const filters = [['.*'], ['task*'], ['*.created'], ['task.*.x'], [''], [], 'task.*', ['task.created', 7], null]

        for (const events of filters) {
          const answer = await call('POST', `/v1/simulations/${id}/webhooks`, { body: { url: PUBLIC_URL, events } })
          expect([events, answer.status, answer.body.error.code]).toEqual([events, 400, 'invalid_request'])
          expect(answer.body.error.message).toContain('`events')
        }
      },
    )

    rule(
      "more webhooks than the plan's count per simulation give 402 plan_limit",
      async ({ call, create }) => {
        const key = KEYS.oneWebhook
        const { id } = await create({}, { key })
        const body = { url: PUBLIC_URL, events: ['*'] }

        const first = await call('POST', `/v1/simulations/${id}/webhooks`, { key, body })
        const second = await call('POST', `/v1/simulations/${id}/webhooks`, { key, body })
        const unsafe = await call('POST', `/v1/simulations/${id}/webhooks`, {
          key,
          body: { ...body, url: 'https://10.0.0.1/' },
        })

        expect(first.status).toBe(201)
        expect(second).toMatchObject({ status: 402, body: { error: { code: 'plan_limit' } } })
        expect(unsafe).toMatchObject({ status: 400, body: { error: { code: 'unsafe_url' } } })
      },
      'accounts',
    )
  },
}
