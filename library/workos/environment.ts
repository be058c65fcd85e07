import {
  type Fields,
  fieldsOf,
  filled,
  HOUR_S,
  idsOf,
  type Kept,
  type Operations,
  shown,
  textOf,
  type WorkOSRequest,
  without,
} from './workos.ts'

/** A new key of an organization, or of one of its users: its value is shown once. */
const newKey = (workos: WorkOSRequest, owner: Fields): Kept => {
  const value = `sk_${workos.id()}${workos.code(16)}`
  const fields = filled(workos.body, 'name permissions expires_at')
  return workos.create('api_keys', { ...fields, owner, value, obfuscated_value: `sk_...${value.slice(-4)}` })
}

const apiKeys: Operations = {
  'GET /organizations/{id}/api_keys': (workos) => {
    const { id } = workos.find('organizations')
    const found = workos.records.api_keys.where(({ owner }) => fieldsOf(owner).id === id)
    return workos.list(found, (key) => shown('api_keys', key))
  },
  'POST /organizations/{id}/api_keys': (workos) =>
    newKey(workos, { type: 'organization', id: workos.find('organizations').id }),
  'GET /user_management/users/{id}/api_keys': (workos) => {
    const { id } = workos.find('users')
    const { organization_id: wanted } = workos.query
    const found = workos.records.api_keys.where(({ owner }) => {
      const { id: user, organization_id } = fieldsOf(owner)
      return user === id && (!wanted || organization_id === wanted)
    })
    return workos.list(found, (key) => shown('api_keys', key))
  },
  'POST /user_management/users/{id}/api_keys': (workos) => {
    const { organization_id = null } = workos.body
    return newKey(workos, { type: 'user', id: workos.find('users').id, organization_id })
  },
  'POST /api_keys/validations': (workos) => {
    const key = workos.records.api_keys.find({ value: textOf(workos.body.value) })
    if (key === undefined) return { api_key: null }
    return { api_key: shown('api_keys', workos.records.api_keys.update(key, { last_used_at: workos.time })) }
  },
  'DELETE /api_keys/{id}': (workos) => workos.remove('api_keys'),
}

export const toFlag = (flag: Fields): Fields => ({
  object: 'feature_flag',
  owner: null,
  ...shown('feature_flags', flag),
})

const flagOf = (workos: WorkOSRequest): Kept => {
  const { slug = '' } = workos.path
  return workos.findBy('feature_flags', { slug }, slug)
}

const turn = (enabled: boolean) => (workos: WorkOSRequest) =>
  toFlag(workos.update('feature_flags', flagOf(workos), { enabled }))

const target = (isIn: boolean) => (workos: WorkOSRequest) => {
  workos.join('feature_flags', flagOf(workos), { list: 'targets', id: workos.path.target_id ?? '', isIn })
  return workos.done()
}

/** The flags that are on for an organization or a user. */
const flagsOf = (collection: 'organizations' | 'users') => (workos: WorkOSRequest) => {
  const { id } = workos.find(collection)
  const enabled = workos.records.feature_flags.where({ enabled: true }).reverse()
  const isTarget = ({ targets }: Kept) => idsOf(targets).includes(id)
  const found = [
    ...enabled.filter(({ default_value }) => default_value === true),
    ...enabled.filter((flag) => flag.default_value !== true && isTarget(flag)),
  ]
  return workos.list(found, toFlag)
}

const flags: Operations = {
  // Only backlot has it.
  'POST /test_helpers/feature_flags': (workos) => {
    const { slug = '' } = workos.body
    const fields = filled(workos.body, 'slug name default_value enabled')
    return toFlag(workos.create('feature_flags', { name: slug, ...fields }))
  },
  'GET /feature-flags': (workos) => workos.list([...workos.records.feature_flags], toFlag),
  'GET /feature-flags/{slug}': (workos) => toFlag(flagOf(workos)),
  'PUT /feature-flags/{slug}/enable': turn(true),
  'PUT /feature-flags/{slug}/disable': turn(false),
  'POST /feature-flags/{slug}/targets/{target_id}': target(true),
  'DELETE /feature-flags/{slug}/targets/{target_id}': target(false),
  'GET /organizations/{id}/feature-flags': flagsOf('organizations'),
  'GET /user_management/users/{id}/feature-flags': flagsOf('users'),
}

const OF_OAUTH = 'redirect_uris uses_pkce is_first_party was_dynamically_registered'

const toApp = (app: Fields): Fields => (app.application_type === 'oauth' ? app : without(app, OF_OAUTH))

const appOf = (workos: WorkOSRequest): Kept => {
  const { id = '' } = workos.path
  return workos.records.connect_applications.find({ client_id: id }) ?? workos.find('connect_applications')
}

const toSecret = (secret: Fields): Fields => ({
  ...{ object: 'connect_application_secret', last_used_at: null },
  ...shown('client_secrets', secret),
})

const APP = 'name description scopes redirect_uris'

const applications: Operations = {
  'POST /connect/applications': (workos) => {
    const { body } = workos
    if (!body.name) workos.refuseInvalid('name_required', 'name must be given.')
    if (!['oauth', 'm2m'].includes(textOf(body.application_type)))
      workos.refuseInvalid('application_type_invalid', 'application_type must be oauth or m2m.')
    const fields = filled(body, `${APP} application_type uses_pkce is_first_party organization_id`)
    return toApp(workos.create('connect_applications', { ...fields, client_id: workos.ticket('client_01') }))
  },
  'GET /connect/applications': (workos) => {
    const { organization_id = null } = workos.query
    return workos.list(workos.matching('connect_applications', { organization_id }), toApp)
  },
  'GET /connect/applications/{id}': (workos) => toApp(appOf(workos)),
  'PUT /connect/applications/{id}': (workos) =>
    toApp(workos.update('connect_applications', appOf(workos), filled(workos.body, APP))),
  'DELETE /connect/applications/{id}': (workos) => workos.remove('connect_applications', appOf(workos)),
  'GET /connect/applications/{id}/client_secrets': (workos) =>
    workos.records.client_secrets
      .where({ application_id: appOf(workos).id })
      .reverse()
      .map(toSecret),
  'POST /connect/applications/{id}/client_secrets': (workos) => {
    const secret_hint = workos.hex(4)
    const secret = `${workos.hex(60)}${secret_hint}`
    const made = workos.create('client_secrets', { application_id: appOf(workos).id, secret_hint, secret })
    return { ...toSecret(made), secret }
  },
  'DELETE /connect/client_secrets/{id}': (workos) => workos.remove('client_secrets'),
}

const DEFAULT_WAITLIST = 'waitlist_01BACKLOT00000000000000000'

const toWaitlist = (waitlist: Fields): Fields => ({ object: 'waitlist', ...waitlist })

const waitlistOf = (workos: WorkOSRequest): Kept => {
  const { id } = workos.path
  return workos.find('waitlists', id === 'default' ? DEFAULT_WAITLIST : id)
}

/** Approves an entry, or denies it. */
const decide = (state: 'approved' | 'denied') => (workos: WorkOSRequest) => {
  const approved_at = state === 'approved' ? workos.time : null
  return workos.update('waitlist_entries', workos.find('waitlist_entries'), { state, approved_at })
}

const waitlists: Operations = {
  'GET /user_management/waitlists': (workos) => workos.whole([...workos.records.waitlists].reverse().map(toWaitlist)),
  'GET /user_management/waitlists/{id}': (workos) => toWaitlist(waitlistOf(workos)),
  'GET /user_management/waitlists/{id}/entries': (workos) => {
    const { email = null, state = null } = workos.query
    return workos.list(workos.matching('waitlist_entries', { waitlist_id: waitlistOf(workos).id, email, state }))
  },
  'POST /user_management/waitlists/{id}/entries': (workos) => {
    const waitlist_id = waitlistOf(workos).id
    const { email } = workos
    if (!email) workos.refuseInvalid('email_required', 'email must be given.')
    const known = workos.records.waitlist_entries.find({ waitlist_id, email })
    const fields = filled(workos.body, 'additional_fields')
    return known ?? workos.create('waitlist_entries', { ...fields, waitlist_id, email })
  },
  'POST /user_management/waitlist_entries/{id}/approve': decide('approved'),
  'POST /user_management/waitlist_entries/{id}/deny': decide('denied'),
  'DELETE /user_management/waitlist_entries/{id}': (workos) => workos.remove('waitlist_entries'),
}

const ownerOf = ({ object, id, organization_id }: Fields): unknown => (object === 'organization' ? id : organization_id)

const events: Operations = {
  'GET /events': (workos) => {
    const { events: types, range_start = '', range_end = '9999', organization_id } = workos.query
    if (!types) workos.refuseInvalid('required', 'events must be given.')
    const wanted = types?.split(',') ?? []
    const isAsked = ({ event, created_at, data }: Kept): boolean =>
      wanted.includes(textOf(event)) &&
      textOf(created_at) >= range_start &&
      textOf(created_at) <= range_end &&
      (!organization_id || ownerOf(fieldsOf(data)) === organization_id)
    return workos.list(workos.records.events.where(isAsked), (event) => event, 'asc')
  },
  'GET /webhook_endpoints': (workos) => workos.list([...workos.records.webhook_endpoints]),
  'POST /webhook_endpoints': (workos) => {
    const fields = filled(workos.body, 'endpoint_url events')
    if (workos.records.webhook_endpoints.some({ endpoint_url: fields.endpoint_url ?? '' }))
      workos.refuse('duplicate_endpoint', 'A webhook endpoint of this URL exists already.', 409)
    return workos.create('webhook_endpoints', { ...fields, secret: workos.id() })
  },
  'PATCH /webhook_endpoints/{id}': (workos) => {
    const fields = filled(workos.body, 'endpoint_url events status')
    return workos.update('webhook_endpoints', workos.find('webhook_endpoints'), fields)
  },
  'DELETE /webhook_endpoints/{id}': (workos) => workos.remove('webhook_endpoints'),
}

const links: Operations = {
  'POST /passwordless/sessions': (workos) =>
    workos.create('passwordless_sessions', {
      ...filled(workos.body, 'email'),
      expires_at: workos.later(Number(workos.body.expires_in ?? 300)),
      link: `https://auth.backlot.example/passwordless/${workos.id()}`,
    }),
  'POST /passwordless/sessions/{id}/send': (workos) => {
    workos.find('passwordless_sessions')
    return { success: true }
  },
  'POST /widgets/token': (workos) => {
    const { organization_id, user_id, scopes } = workos.body
    const { id: org_id } = workos.find('organizations', organization_id)
    const sub = workos.findNamed('users', user_id)?.id
    const iat = Math.floor(workos.now.getTime() / 1_000)
    const token = workos.of.signToken({
      ...{ iss: workos.of.origin, ...(sub && { sub }), org_id, permissions: idsOf(scopes) },
      ...{ iat, exp: iat + HOUR_S },
    })
    return { token }
  },
}

export const environment: Operations = { ...apiKeys, ...applications, ...events, ...flags, ...links, ...waitlists }
