import { verifySlackRequest } from '@slack/bolt/dist/receivers/verify-request.js'
import { WebClient } from '@slack/web-api'

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => 'error', setName() {} }

export default function open({ url, key }) {
  const options = {
    slackApiUrl: `${url}/api/`,
    logger: SILENT,
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
  }
  const client = new WebClient(`xoxb-${key}`, options)
  const later = (message, seconds) =>
    client.chat.scheduleMessage({ ...message, post_at: Math.floor(Date.now() / 1000) + seconds })
  const headers = { authorization: `Bearer xoxb-${key}` }
  const download = async (which) => {
    const { file } = await client.files.info(which)
    return (await fetch(file.url_private_download, { headers })).text()
  }
  const form = async (message) =>
    (
      await fetch(`${url}/services/T00BACKLOT/B00BACKLOT/x`, { method: 'POST', body: new URLSearchParams(message) })
    ).text()
  const hook = async (message) =>
    (
      await fetch(`${url}/services/T00BACKLOT/B00BACKLOT/x`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      })
    ).text()
  return Object.assign(client, {
    later,
    download,
    form,
    hook,
    user: new WebClient(`xoxp-${key}`, options),
    nobody: new WebClient(undefined, options),
    stranger: new WebClient('xoxb-0', options),
  })
}

export function verify({ rawBody, type, headers, secret }) {
  const body = rawBody.toString()
  const [signature, time] = ['x-slack-signature', 'x-slack-request-timestamp'].map((name) => headers[name])
  verifySlackRequest({
    signingSecret: secret,
    body,
    headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(time) },
  })
  if (headers['content-type'] === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams(body)
    return (form.has('payload') ? JSON.parse(form.get('payload')).type : 'slash_command') === type
  }
  const payload = JSON.parse(body)
  return payload.type === 'event_callback' && payload.team_id === 'T00BACKLOT' && payload.event.type === type
}
