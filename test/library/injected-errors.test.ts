import { createClerkClient } from '@clerk/backend'
import sendgrid from '@sendgrid/client'
import mail from '@sendgrid/mail'
import { IntercomClient } from 'intercom-client'
import { Resend } from 'resend'
import { SquareClient } from 'square'
import { expect, it } from 'vitest'
import type { Simulation } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'

type Call = (api: Simulation) => Promise<unknown>

function sendBySendgrid({ url, key }: Simulation): Promise<unknown> {
  sendgrid.setApiKey(`SG.${key}`)
  sendgrid.setDefaultRequest('baseUrl', url)
  mail.setClient(sendgrid)
  return mail.send({ to: 'ada@example.com', from: 'app@example.com', subject: 'Hi', text: 'Hi' })
}

const CALLS: Record<string, [call: Call, limited: object, broken: object]> = {
  clerk: [
    ({ url, key }) => createClerkClient({ secretKey: `sk_test_${key}`, apiUrl: url }).users.getUserList(),
    { status: 429, errors: [{ code: 'too_many_requests' }] },
    { status: 500, errors: [{ code: 'internal_clerk_error' }] },
  ],
  intercom: [
    ({ url, key }) => new IntercomClient({ token: key, environment: url, maxRetries: 0 }).admins.list(),
    { statusCode: 429, body: { type: 'error.list', errors: [{ code: 'rate_limit_exceeded' }] } },
    { statusCode: 500, body: { type: 'error.list', errors: [{ code: 'server_error' }] } },
  ],
  resend: [
    async ({ url, key }) => {
      const { error } = await new Resend(key, { baseUrl: url }).domains.list()
      throw error
    },
    { statusCode: 429, name: 'rate_limit_exceeded' },
    { statusCode: 500, name: 'application_error' },
  ],
  sendgrid: [
    sendBySendgrid,
    { code: 429, response: { body: { errors: [{ message: 'too many requests' }] } } },
    { code: 500, response: { body: { errors: [{ field: null }] } } },
  ],
  square: [
    ({ url, key }) => new SquareClient({ token: key, baseUrl: url, maxRetries: 0 }).locations.list(),
    { statusCode: 429, errors: [{ category: 'RATE_LIMIT_ERROR', code: 'RATE_LIMITED' }] },
    { statusCode: 500, errors: [{ category: 'API_ERROR', code: 'INTERNAL_SERVER_ERROR' }] },
  ],
}

it.each(Object.keys(CALLS))('%s tells errors that a test asks for as the provider does', async (slug) => {
  const { simulate } = await startForTest({ workerSinks: true })
  const api = await simulate(slug)
  const [call, limited, broken] = CALLS[slug] ?? expect.unreachable()

  await api.failNext(1, { status: 429 })
  await expect(call(api)).rejects.toMatchObject(limited)
  await api.failNext(1, { status: 500 })
  await expect(call(api)).rejects.toMatchObject(broken)
})
