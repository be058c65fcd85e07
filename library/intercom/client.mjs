import { createHmac, timingSafeEqual } from 'node:crypto'
import { IntercomClient } from 'intercom-client'

export default function open({ url, key }) {
  const clientOf = (token) => new IntercomClient({ token, environment: url, maxRetries: 0 })
  const client = clientOf(key)
  /** All items of a list, page after page, as `for await` reads them. */
  const every = async (resource, method, request) => Array.fromAsync(await client[resource][method](request))
  /** The second page of a list. */
  const second = async (resource, method, request) => (await client[resource][method](request)).getNextPage()
  /** What an answer says beside its body. */
  const headersOf = async (resource, method, request) => {
    const { rawResponse } = await client[resource][method](request).withRawResponse()
    return Object.fromEntries(rawResponse.headers)
  }
  const snooze = (conversation_id, seconds) => {
    const snoozed_until = Math.floor(Date.now() / 1000) + seconds
    const body = { message_type: 'snoozed', type: 'admin', admin_id: '991267001', snoozed_until }
    return client.conversations.manage({ conversation_id, body })
  }
  return Object.assign(client, { stranger: clientOf('nobody'), every, second, headersOf, snooze })
}

/** Intercom has no verifier: its documentation says to compare this. */
export function verify({ rawBody, headers, secret }) {
  const expected = `sha1=${createHmac('sha1', secret).update(rawBody).digest('hex')}`
  const given = Buffer.from(String(headers['x-hub-signature']))
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
}
