import { isVerifiedBy } from './authentication.ts'
import { type Fields, type Kept, MINUTE_S, type Operations, shown, textOf, type WorkOS, withQuery } from './workos.ts'

/** A connection of an organization to its identity provider. */
export const connect = (workos: WorkOS, { id, name }: Kept, given: Fields = {}): Kept =>
  workos.create('connections', {
    organization_id: id,
    name: given.name ?? name ?? '',
    connection_type: given.connection_type ?? 'GenericSAML',
    domains: workos.records.organization_domains
      .where({ organization_id: id })
      .reverse()
      .map((domain) => ({ id: domain.id, object: 'connection_domain', domain: domain.domain ?? '' })),
  })

const toProfile = (profile: Fields): Fields => shown('profiles', profile)

export const sso: Operations = {
  'GET /connections': (workos) => {
    const { connection_type = null, organization_id = null, domain } = workos.query
    const found = workos.matching('connections', { connection_type, organization_id })
    const isOwner = ({ organization_id: owner = null }: Kept) =>
      workos.records.organization_domains.some({ domain: domain ?? '', organization_id: owner })
    return workos.list(domain ? found.filter(isOwner) : found)
  },
  'GET /connections/{id}': (workos) => workos.find('connections'),
  'DELETE /connections/{id}': (workos) => workos.remove('connections'),
  'GET /sso/authorize': (workos) => {
    const { query, records } = workos
    if (!query.redirect_uri) workos.refuseInvalid('redirect_uri_required', 'redirect_uri must be given.')
    const { provider, state } = query
    const connection =
      records.connections.get(query.connection) ??
      records.connections.find({ organization_id: query.organization ?? '', state: 'active' })
    const connection_type = textOf(connection?.connection_type) || provider
    if (connection_type === undefined) {
      const error = { error: 'connection_invalid', error_description: 'There is no active connection.', state }
      return workos.redirect(withQuery(query.redirect_uri ?? '', error))
    }
    const organization_id = records.organizations.get(textOf(connection?.organization_id))?.id ?? null
    const host = organization_id ? records.organization_domains.find({ organization_id })?.domain : undefined
    const email = (query.login_hint || `ada@${host ?? 'example.com'}`).toLowerCase()
    const names = { first_name: 'Ada', last_name: 'Lovelace' }
    const profile =
      records.profiles.find({ email, connection_type, organization_id }) ??
      workos.create('profiles', {
        ...{ email, ...names, connection_type, organization_id, idp_id: workos.code(20) },
        connection_id: connection?.id ?? workos.ticket('conn_01'),
        raw_attributes: { email, ...names },
      })
    const { code } = workos.create('grants', {
      code: workos.ticket(),
      kind: 'profile',
      profile_id: profile.id,
      challenge: query.code_challenge ?? null,
      expires_at: workos.later(10 * MINUTE_S),
    })
    return workos.redirect(withQuery(query.redirect_uri ?? '', { code: textOf(code), state }))
  },
  // Browsers come here from the sign-in page (`isBefore` of sign-in.yaml), others at once.
  'GET /user_management/authorize': (workos) => {
    const { query, records } = workos
    if (!query.redirect_uri) workos.refuseInvalid('redirect_uri_required', 'redirect_uri must be given.')
    const connection =
      records.connections.get(query.connection_id) ??
      records.connections.find({ organization_id: query.organization_id ?? '', state: 'active' })
    const email = (query.login_hint || 'ada@example.com').toLowerCase()
    const user =
      records.users.find(query.login_hint ? { email } : {}) ?? workos.create('users', { email, email_verified: true })
    const provider = connection ? 'SSO' : (query.provider ?? 'authkit')
    const { code } = workos.create('grants', {
      code: workos.ticket(),
      kind: 'code',
      user_id: user.id,
      organization_id: query.organization_id ?? connection?.organization_id ?? null,
      connection_id: connection?.id ?? null,
      method: provider === 'authkit' ? 'Password' : provider,
      challenge: query.code_challenge ?? null,
      expires_at: workos.later(10 * MINUTE_S),
    })
    return workos.redirect(withQuery(query.redirect_uri ?? '', { code: textOf(code), state: query.state }))
  },
  'POST /sso/token': (workos) => {
    const { code, code_verifier } = workos.body
    const granted = workos.records.grants.find({ code: textOf(code), kind: 'profile' })
    const profile = workos.records.profiles.get(textOf(granted?.profile_id))
    if (!granted || !profile || workos.isPast(granted.expires_at))
      return workos.refuseGrant('invalid_grant', `The code '${textOf(code)}' has expired or is invalid.`)
    if (!isVerifiedBy(granted.challenge, code_verifier))
      workos.refuseGrant('invalid_grant', 'The code_verifier does not fit the code_challenge.')
    workos.records.grants.remove(granted)
    const access_token = workos.ticket()
    workos.records.profiles.update(profile, { access_token })
    const { connection_id = null, organization_id = null, email = null } = profile
    workos.happen('authentication.sso_succeeded', {
      ...{ type: 'sso', status: 'succeeded', user_id: null, email, ip_address: null, user_agent: null },
      sso: { connection_id, organization_id, session_id: null },
    })
    return { access_token, profile: toProfile(profile) }
  },
  'GET /sso/profile': (workos) => {
    const access_token = (workos.of.headers.authorization ?? '').replace('Bearer ', '')
    const profile = workos.records.profiles.find({ access_token })
    if (profile === undefined) return workos.refuse('unauthorized', 'Unauthorized', 401)
    return toProfile(profile)
  },
  // Only backlot has these.
  'POST /test_helpers/connections': (workos) =>
    connect(workos, workos.find('organizations', workos.body.organization_id), workos.body),
  'PATCH /test_helpers/connections/{id}': (workos) =>
    workos.update('connections', workos.find('connections'), { state: workos.body.state ?? 'active' }),
}
