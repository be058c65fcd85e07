import { Octokit } from '@octokit/rest'
import { verify as isSignedWith } from '@octokit/webhooks-methods'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

export default function open({ url, key }) {
  const as = (auth) => new Octokit({ auth, baseUrl: url, log: SILENT })
  // What @octokit/auth-app sends: a token whose issuer is the app's id, and then one of an installation.
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const app = as(`${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: key, iat: 0, exp: 600 })}.c2lnbmF0dXJl`)
  return Object.assign(as(key), {
    nobody: as(),
    stranger: as('nope'),
    octocat: as(`octocat_${key}`),
    app,
    installed: (token) => as(token),
  })
}

export async function verify({ rawBody, type, headers, secret }) {
  const body = rawBody.toString()
  const [event, action] = type.split('.')
  const isSigned = await isSignedWith(secret, body, headers['x-hub-signature-256'])
  const isSame = action === undefined || JSON.parse(body).action === action
  return isSigned && headers['x-github-event'] === event && isSame
}
