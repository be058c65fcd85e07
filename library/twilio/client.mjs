import twilio from 'twilio'

const ACCOUNT = `AC${'0'.repeat(32)}`

export default function open({ url, key }) {
  const httpClient = new twilio.RequestClient()
  const send = httpClient.request.bind(httpClient)
  httpClient.request = (options) =>
    send({ ...options, uri: options.uri.replace(/^https:\/\/(\w+)[\w.-]*\.twilio\.com/, `${url}/$1`) })
  const client = twilio(ACCOUNT, key, { httpClient })
  const later = (message) =>
    client.messages.create({ ...message, scheduleType: 'fixed', sendAt: new Date(Date.now() + 1_800_000) })
  return Object.assign(client, { later })
}

export function verify({ rawBody, headers, secret, url }) {
  const form = Object.fromEntries(new URLSearchParams(rawBody.toString()))
  return twilio.validateRequest(secret, headers['x-twilio-signature'], url, form)
}
