import { Octokit } from '@octokit/rest'
import { verify as isSignedWith } from '@octokit/webhooks-methods'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

export default function open({ url, key }) {
  const as = (auth) => new Octokit({ auth, baseUrl: url, log: SILENT })
  return Object.assign(as(key), { octocat: as(`octocat_${key}`) })
}

export async function verify({ rawBody, type, headers, secret }) {
  const body = rawBody.toString()
  const [event, action] = type.split('.')
  const isSigned = await isSignedWith(secret, body, headers['x-hub-signature-256'])
  const isSame = action === undefined || JSON.parse(body).action === action
  return isSigned && headers['x-github-event'] === event && isSame
}
