import {
  type ClerkRequest,
  type Fields,
  fieldsOf,
  filled,
  INSTANCE,
  type Kept,
  type Operations,
  sent,
} from './clerk.ts'

const instanceOf = (clerk: ClerkRequest): Kept => clerk.find('instances', INSTANCE)

/** The settings of one subject, with the sent ones changed. */
function settings(clerk: ClerkRequest, name: 'restrictions' | 'organization_settings', change: Fields): Fields {
  const instance = instanceOf(clerk)
  const changed = { ...fieldsOf(instance[name]), ...change }
  clerk.records.instances.update(instance, { [name]: changed })
  return { object: name === 'restrictions' ? 'instance_restrictions' : name, ...changed }
}

export const instance: Operations = {
  'GET /v1/instance': (clerk) => ({
    object: 'instance',
    id: INSTANCE,
    environment_type: 'development',
    allowed_origins: instanceOf(clerk).allowed_origins,
  }),
  'PATCH /v1/instance': (clerk) => {
    clerk.records.instances.update(instanceOf(clerk), sent(clerk.body, 'allowed_origins'))
    return clerk.of.respond({})
  },
  'PATCH /v1/instance/restrictions': (clerk) => settings(clerk, 'restrictions', clerk.body),
  'GET /v1/instance/organization_settings': (clerk) => ({
    object: 'organization_settings',
    ...fieldsOf(instanceOf(clerk).organization_settings),
  }),
  'PATCH /v1/instance/organization_settings': (clerk) => settings(clerk, 'organization_settings', clerk.body),
  'GET /v1/domains': (clerk) => clerk.list([...clerk.records.domains].reverse(), toDomain),
  'POST /v1/domains': (clerk) => {
    clerk.need('name')
    return toDomain(clerk.records.domains.create({ ...filled(clerk.body, 'name proxy_url'), is_satellite: true }))
  },
  'DELETE /v1/domains/{domain_id}': (clerk) => clerk.remove('domains'),
}

function toDomain(domain: Kept): Fields {
  const { name } = domain
  return {
    object: 'domain',
    ...domain,
    frontend_api_url: `https://${name}`,
    accounts_portal_url: `https://accounts.${name}`,
  }
}
