import { createHmac } from 'node:crypto'
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
  /** What an authenticator shows when a factor is made. */
  const codeOf = ({ binding, dateCreated }) => {
    const letters = [...binding.secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    const bits = letters.map((five) => five.toString(2).padStart(5, '0')).join('')
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.parse(dateCreated) / 30_000)))
    const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
    const mac = createHmac('sha1', key).update(counter).digest()
    const code = String((mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff) % 1e6).padStart(6, '0')
    return { code, wrong: code === '000000' ? '111111' : '000000' }
  }
  return Object.assign(client, { later, codeOf })
}

export function verify({ rawBody, headers, secret, url }) {
  const form = Object.fromEntries(new URLSearchParams(rawBody.toString()))
  return twilio.validateRequest(secret, headers['x-twilio-signature'], url, form)
}
