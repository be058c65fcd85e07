import { WorkOS } from '@workos-inc/node'

const CALLBACK = { clientId: 'client_backlot', redirectUri: 'https://app.example/callback' }

export default function open({ url, key }) {
  const { hostname, port } = new URL(url)
  const options = { apiHostname: hostname, port: Number(port), https: false, clientId: 'client_backlot', maxRetries: 0 }
  const client = new WorkOS(`sk_test_${key}`, options)
  const { auditLogs, sso, userManagement } = client
  const visit = async (address) => (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? ''
  const codeOf = async (address) => ({ code: new URL(await visit(address)).searchParams.get('code') })
  const range = { rangeStart: new Date(0), rangeEnd: new Date('2100-01-01') }
  const event = {
    action: 'user.signed_in',
    occurredAt: new Date(),
    actor: { id: 'user_1', type: 'user' },
    targets: [{ id: 'team_1', type: 'team' }],
    context: { location: '203.0.113.9' },
  }
  const send = async (path, type, body) => {
    const headers = { 'content-type': type, authorization: `Bearer sk_test_${key}` }
    return (await fetch(new URL(path, url), { method: 'POST', headers, body })).json()
  }
  return Object.assign(client, {
    /** What a command line sends, which has no SDK. */
    cli: (path, fields) => send(path, 'application/x-www-form-urlencoded', new URLSearchParams(fields)),
    approve: (code, fields) => send(`/test_helpers/devices/${code}`, 'application/json', JSON.stringify(fields)),
    /** The first line of a table, by its head. */
    read: async (address) => {
      const [names, first] = (await (await fetch(address)).text()).split('\n').map((line) => line.split(','))
      return Object.fromEntries(names.map((name, at) => [name, first[at]]))
    },
    visit: async (address) => ({ location: await visit(address) }),
    signIn: (given) =>
      codeOf(
        userManagement.getAuthorizationUrl({
          ...CALLBACK,
          ...(given.organizationId ? {} : { provider: 'authkit' }),
          ...given,
        }),
      ),
    signOn: (given) => codeOf(sso.getAuthorizationUrl({ ...CALLBACK, ...given })),
    refusedSignIn: (email, password) =>
      userManagement.authenticateWithPassword({ email, password }).then(
        () => ({}),
        ({ rawData }) => rawData,
      ),
    isValid: async (token) => ({ valid: await userManagement.isValidJwt(token) }),
    claims: (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url')),
    audit: (organization, given = {}) => auditLogs.createEvent(organization, { ...event, ...given }),
    export: (organizationId) => auditLogs.createExport({ organizationId, ...range }),
  })
}

export async function verify({ rawBody, type, headers, secret }) {
  const { webhooks } = new WorkOS('sk_test_none')
  const payload = JSON.parse(rawBody)
  const read = await webhooks.constructEvent({ payload, sigHeader: headers['workos-signature'], secret })
  return read.event === type
}
