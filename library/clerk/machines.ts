import {
  type ClerkRequest,
  contains,
  type Fields,
  fieldsOf,
  filled,
  INSTANCE,
  ISSUER,
  type Kept,
  type Operations,
  operationsOf,
  textOf,
  textsOf,
  without,
} from './clerk.ts'

/** The kind of a token, which the SDK reads in the header. */
const MACHINE_TOKEN = { cat: 'cl_B7d4PD333AAA' }

const toRow = (machine: Fields): Fields => ({
  object: 'machine',
  instance_id: INSTANCE,
  ...without(machine, 'scopes secret'),
})

const toMachine = (machine: Kept, { records }: ClerkRequest): Fields => ({
  ...toRow(machine),
  scoped_machines: textsOf(machine.scopes)
    .flatMap((id) => records.machines.get(id) ?? [])
    .map(toRow),
})

const newSecret = (clerk: ClerkRequest): string => `ak_${clerk.letters(43)}`

export const machines: Operations = {
  ...operationsOf({
    collection: 'machines',
    path: '/v1/machines',
    param: 'machine_id',
    needed: 'name',
    fields: 'name default_token_ttl',
    show: toMachine,
    made: (clerk) => ({ scopes: clerk.body.scoped_machines ?? [], secret: newSecret(clerk) }),
    secret: ({ secret }) => ({ secret_key: secret ?? '' }),
    has: 'create read change delete',
  }),
  'GET /v1/machines': (clerk) => {
    const found = clerk.records.machines.where(({ name }) => contains(name, clerk.param('query')))
    return clerk.list(found, (machine) => toMachine(machine, clerk))
  },
  'GET /v1/machines/{machine_id}/secret_key': (clerk) => {
    const { secret } = clerk.find('machines')
    return { object: 'machine_secret_key', secret }
  },
  'POST /v1/machines/{machine_id}/secret_key/rotate': (clerk) => {
    const secret = newSecret(clerk)
    clerk.records.machines.update(clerk.find('machines'), { secret })
    return { object: 'machine_secret_key', secret }
  },
  'POST /v1/machines/{machine_id}/scopes': (clerk) => {
    const machine = clerk.find('machines')
    const { id } = clerk.find('machines', clerk.body.to_machine_id ?? null)
    clerk.records.machines.update(machine, { scopes: [...new Set([...textsOf(machine.scopes), id])] })
    return { object: 'machine_scope', from_machine_id: machine.id, to_machine_id: id, created_at: clerk.ms }
  },
  'DELETE /v1/machines/{machine_id}/scopes/{to_machine_id}': (clerk) => {
    const { machine_id, to_machine_id } = clerk.path
    const machine = clerk.find('machines', machine_id)
    clerk.records.machines.update(machine, { scopes: textsOf(machine.scopes).filter((id) => id !== to_machine_id) })
    return { object: 'machine_scope', from_machine_id: machine.id, to_machine_id, deleted: true }
  },
}

const toToken = (token: Kept, clerk: ClerkRequest): Fields => ({
  object: 'machine_to_machine_token',
  ...without(token, 'token'),
  expired: clerk.isPast(token.expiration),
})

/** The record with this secret, neither revoked nor expired. */
function verified(
  clerk: ClerkRequest,
  collection: 'm2m_tokens' | 'api_keys',
  { field, what }: Record<'field' | 'what', string>,
) {
  const secret = clerk.body[field]
  const found = clerk.records[collection].find({ [field]: textOf(secret) })
  const isValid = found !== undefined && found.revoked !== true && !clerk.isPast(found.expiration)
  return isValid ? found : clerk.gone(what, secret)
}

export const machineTokens: Operations = {
  'POST /m2m_tokens': (clerk) => {
    const { body, records } = clerk
    const machine =
      records.machines.find({ secret: clerk.of.key ?? '' }) ??
      clerk.refuse({
        code: 'machine_secret_key_invalid',
        text: 'Invalid machine secret key',
        long: 'A token is made with the secret key of a machine.',
        status: 401,
      })
    const scopes = textsOf(machine.scopes)
    const lifetime = Number(body.seconds_until_expiration ?? machine.default_token_ttl)
    const claims = {
      ...fieldsOf(body.claims),
      sub: machine.id,
      aud: scopes,
      scopes: scopes.join(' '),
      iss: ISSUER,
      jti: `mt_${clerk.hex(32)}`,
      iat: clerk.unix,
      nbf: clerk.unix - 10,
      exp: clerk.unix + lifetime,
    }
    const isSigned = body.token_format === 'jwt'
    const token = isSigned ? clerk.of.signToken(claims, MACHINE_TOKEN) : `mt_${clerk.letters(43)}`
    const expiration = clerk.expiryIn(lifetime)
    const made = { ...filled(body, 'claims'), subject: machine.id, scopes, expiration, token }
    return { ...toToken(clerk.create('m2m_tokens', made), clerk), token }
  },
  'GET /m2m_tokens': (clerk) => {
    const subject = clerk.param('subject')
    const found = clerk.records.m2m_tokens.where({
      ...(subject !== '' && { subject }),
      ...(clerk.query.revoked !== 'true' && { revoked: false }),
    })
    const { data, ...page } = clerk.list(found, (token) => toToken(token, clerk))
    return { ...page, m2m_tokens: data }
  },
  'POST /m2m_tokens/verify': (clerk) =>
    toToken(verified(clerk, 'm2m_tokens', { field: 'token', what: 'token' }), clerk),
  'POST /m2m_tokens/{m2m_token_id}/revoke': (clerk) => {
    const fields = { ...filled(clerk.body, 'revocation_reason'), revoked: true }
    return toToken(clerk.update('m2m_tokens', clerk.find('m2m_tokens'), fields), clerk)
  },
}

const toApiKey = (key: Kept, clerk: ClerkRequest): Fields => ({
  object: 'api_key',
  type: 'api_key',
  ...without(key, 'secret'),
  expired: clerk.isPast(key.expiration),
})

export const apiKeys: Operations = {
  ...operationsOf({
    collection: 'api_keys',
    path: '/api_keys',
    param: 'api_key_id',
    needed: 'name subject',
    fields: 'name subject scopes claims description created_by',
    show: toApiKey,
    made: (clerk) => ({ secret: newSecret(clerk), expiration: clerk.expiryIn(clerk.body.seconds_until_expiration) }),
    secret: ({ secret }) => ({ secret: secret ?? '' }),
    has: 'create read delete',
  }),
  'GET /api_keys': (clerk) => {
    const subject = clerk.param('subject')
    const isAll = clerk.query.include_invalid === 'true'
    const found = clerk.records.api_keys.where(subject === '' ? {} : { subject })
    const listed = found.filter((key) => isAll || (key.revoked === false && !clerk.isPast(key.expiration)))
    return clerk.list(listed, (key) => toApiKey(key, clerk))
  },
  'PATCH /api_keys/{api_key_id}': (clerk) => {
    const fields = filled(clerk.body, 'scopes claims description subject')
    return toApiKey(clerk.update('api_keys', clerk.find('api_keys'), fields), clerk)
  },
  'POST /api_keys/{api_key_id}/revoke': (clerk) => {
    const fields = { ...filled(clerk.body, 'revocation_reason'), revoked: true }
    return toApiKey(clerk.records.api_keys.update(clerk.find('api_keys'), fields), clerk)
  },
  'GET /api_keys/{api_key_id}/secret': (clerk) => {
    const { secret } = clerk.find('api_keys')
    return { secret }
  },
  'POST /api_keys/verify': (clerk) =>
    toApiKey(verified(clerk, 'api_keys', { field: 'secret', what: 'API key' }), clerk),
}

const toApplication = (application: Kept, { of: { origin } }: ClerkRequest): Fields => ({
  object: 'oauth_application',
  instance_id: INSTANCE,
  ...without(application, 'client_secret'),
  authorize_url: `${origin}/oauth/authorize`,
  token_fetch_url: `${origin}/oauth/token`,
  user_info_url: `${origin}/oauth/userinfo`,
  discovery_url: `${origin}/.well-known/openid-configuration`,
  token_introspection_url: `${origin}/oauth/token_info`,
})

export const oauthApplications: Operations = {
  ...operationsOf({
    collection: 'oauth_applications',
    path: '/v1/oauth_applications',
    param: 'oauth_application_id',
    needed: 'name',
    fields: 'name scopes redirect_uris public consent_screen_enabled',
    show: toApplication,
    made: (clerk) => ({
      scopes: clerk.body.scopes ?? 'profile email',
      client_id: clerk.letters(16),
      client_secret: clerk.letters(32),
    }),
    secret: ({ client_secret }) => ({ client_secret: client_secret ?? '' }),
  }),
  'POST /v1/oauth_applications/{oauth_application_id}/rotate_secret': (clerk) => {
    const client_secret = clerk.letters(32)
    const application = clerk.records.oauth_applications.update(clerk.find('oauth_applications'), { client_secret })
    return { ...toApplication(application, clerk), client_secret }
  },
  'POST /oauth_applications/access_tokens/verify': (clerk) => {
    const { access_token } = clerk.body
    const token =
      clerk.records.access_tokens.get(textOf(access_token)) ?? clerk.gone('OAuth access token', access_token)
    const [expiration, created_at] = [token.expires_at, token.created_at].map((time) => Date.parse(textOf(time)))
    return {
      object: 'clerk_idp_oauth_access_token',
      id: `oat_${token.family}`,
      client_id: token.client_id,
      type: 'oauth:access_token',
      subject: token.user_id,
      scopes: textOf(token.scope).split(' ').filter(Boolean),
      revoked: false,
      revocation_reason: null,
      expired: Number(expiration) < clerk.ms,
      expiration,
      created_at,
      updated_at: created_at,
    }
  },
}
