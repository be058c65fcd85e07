import { REST } from '@discordjs/rest'
import { verifyKey } from 'discord-interactions'

export default function open({ url, key }) {
  const restOf = (token) => new REST({ api: `${url}/api`, version: '10', retries: 0 }).setToken(token)
  const rest = restOf(key)
  return Object.assign(rest, {
    stranger: restOf('nobody'),
    /** With a reason for the audit log. */
    because: (reason, method, route, options = {}) => rest[method](route, { ...options, reason }),
    query: (method, route, query, body) => rest[method](route, { query: new URLSearchParams(query), body }),
    open: (method, route, body, query = {}) =>
      rest[method](route, { body, query: new URLSearchParams(query), auth: false }),
  })
}

export const verify = ({ rawBody, headers, secret }) =>
  verifyKey(rawBody, headers['x-signature-ed25519'], headers['x-signature-timestamp'], secret)
