import { createHmac, timingSafeEqual } from 'node:crypto'
import { createAgileClient, createCloudClient } from 'jira.js'
import { createClient } from 'jira.js/core'

/** Both clients of the SDK, whose answers must fit its schemas, and requests of other forms. */
export default function open({ url, key }) {
  const connect = (email, apiToken = key) =>
    createClient({ host: url, auth: { type: 'basic', email, apiToken }, onSchemaMismatch: 'throw' })
  const client = connect('ada@example.com')
  const send = async (method, path, body) => {
    const authorization = `Basic ${Buffer.from(`ada@example.com:${key}`).toString('base64')}`
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) })
    return { status: answer.status, body: answer.status === 204 ? null : await answer.json() }
  }
  const jira = createCloudClient(client)
  return {
    jira,
    agile: createAgileClient(client),
    bob: createCloudClient(connect('bob@example.com')),
    stranger: createCloudClient(connect('ada@example.com', 'wrong')),
    send,
    read: async (id) => Buffer.from(await jira.issueAttachments.getAttachmentContent({ id })).toString(),
  }
}

/** As Atlassian's documentation has it: HMAC-SHA256 of the body, by the secret of the webhook. */
export function verify({ rawBody, headers, secret }) {
  const [, signature = ''] = /^sha256=([0-9a-f]{64})$/.exec(headers['x-hub-signature']) ?? []
  return timingSafeEqual(createHmac('sha256', secret).update(rawBody).digest(), Buffer.from(signature, 'hex'))
}
