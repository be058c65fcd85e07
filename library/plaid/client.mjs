import { createHash } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { Configuration, PlaidApi } from 'plaid'

/** The SDK, whose methods answer their data and throw with the fields of Plaid's errors. */
export default function open({ url, key }) {
  const connect = (headers) => {
    const plaid = new PlaidApi(new Configuration({ basePath: url, baseOptions: { headers } }))
    return new Proxy(plaid, { get: (_, name) => (typeof plaid[name] === 'function' ? call(plaid, name) : plaid[name]) })
  }
  const call = (plaid, name) => async (body) => {
    try {
      return (await plaid[name](body)).data
    } catch (error) {
      throw Object.assign(new Error(error.message), error.response?.data, { status: error.response?.status })
    }
  }
  const finish = async (body) => {
    const headers = { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'test', 'PLAID-SECRET': key }
    return (
      await fetch(`${url}/test_helpers/link/finish`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()
  }
  return {
    plaid: connect({ 'PLAID-CLIENT-ID': 'test', 'PLAID-SECRET': key }),
    wrong: connect({ 'PLAID-CLIENT-ID': 'test', 'PLAID-SECRET': 'wrong' }),
    bare: connect({}),
    inBody: (name, body) =>
      call(new PlaidApi(new Configuration({ basePath: url })), name)({ client_id: 'test', secret: key, ...body }),
    finish,
  }
}

/** As Plaid's documentation has it: the token's signature, its age, and the hash of the body. */
export async function verify({ rawBody, headers, secret }) {
  const key = await importJWK(JSON.parse(secret), 'ES256')
  const { payload } = await jwtVerify(headers['plaid-verification'], key, {
    algorithms: ['ES256'],
    maxTokenAge: '5 min',
  })
  return payload.request_body_sha256 === createHash('sha256').update(rawBody).digest('hex')
}
