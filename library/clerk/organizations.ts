import {
  type Clerk,
  type ClerkRequest,
  contains,
  type Fields,
  filled,
  isMissing,
  type Kept,
  type Operations,
  textOf,
} from './clerk.ts'
import { join } from './memberships.ts'
import { patchedMetadata } from './users.ts'
import { toOrganization, toOrgDomain } from './views.ts'

const METADATA = 'public_metadata private_metadata'

/** Changes an organization. Returns what the answer and the event show. */
function changeOrganization(clerk: ClerkRequest, organization: Kept, fields: Fields): Fields {
  return clerk.happen('organization.updated', toOrganization(clerk.update('organizations', organization, fields)))
}

/** A name for addresses: small letters and digits, and a dash for anything else. */
const dashed = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const withCount = (clerk: Clerk, organization: Kept): Fields => ({
  ...toOrganization(organization),
  members_count: clerk.records.memberships.count({ organization_id: organization.id }),
})

/** An organization, with the number of its members if the query asks for it. */
const toAsked = (clerk: ClerkRequest, organization: Kept): Fields =>
  clerk.query.include_members_count === 'true' ? withCount(clerk, organization) : toOrganization(organization)

const setsLogo = (has_image: boolean) => (clerk: ClerkRequest) =>
  changeOrganization(clerk, clerk.organization, { has_image })

export const organizations: Operations = {
  'POST /v1/organizations': (clerk) => {
    const { body, records } = clerk
    const slug = textOf(body.slug)
    if (slug !== '' && !/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(slug))
      clerk.refuse({
        code: 'form_param_format_invalid',
        text: 'is invalid',
        long: 'A slug has small letters and digits and dashes.',
        name: 'slug',
      })
    clerk.need('name')
    const founder = isMissing(body.created_by) ? undefined : clerk.find('users', body.created_by)
    const wanted = slug || dashed(textOf(body.name))
    const isTaken = records.organizations.some({ slug: wanted })
    if (slug !== '' && isTaken) clerk.taken('slug')
    const organization = clerk.create('organizations', {
      ...filled(body, `name created_by max_allowed_memberships ${METADATA}`),
      slug: isTaken ? `${wanted}-${clerk.ms}` : wanted,
    })
    clerk.happen('organization.created', toOrganization(organization))
    if (founder) join(clerk, { organization_id: organization.id, user_id: founder.id, role: 'org:admin' })
    return withCount(clerk, organization)
  },
  'GET /v1/organizations': (clerk) => {
    const { query, records } = clerk
    const words = clerk.param('query')
    const named = records.organizations.where((organization) =>
      ['name', 'slug', 'id'].some((name) => contains(organization[name], words)),
    )
    const listed = clerk.among(named, 'id', 'organization_id')
    const own = clerk.among([...records.memberships], 'user_id').map(({ organization_id }) => organization_id)
    const found = query.user_id === undefined ? listed : listed.filter(({ id }) => own.includes(id))
    return clerk.list(clerk.ordered(found), (organization) => toAsked(clerk, organization))
  },
  'GET /v1/organizations/{organization_id}': (clerk) => toAsked(clerk, clerk.organization),
  'PATCH /v1/organizations/{organization_id}': (clerk) => {
    const organization = clerk.organization
    const slug = textOf(clerk.body.slug)
    if (slug !== '' && clerk.records.organizations.some((other) => other.slug === slug && other.id !== organization.id))
      clerk.taken('slug')
    const fields = filled(clerk.body, `name slug max_allowed_memberships admin_delete_enabled ${METADATA}`)
    return changeOrganization(clerk, organization, fields)
  },
  'PATCH /v1/organizations/{organization_id}/metadata': (clerk) => {
    const organization = clerk.organization
    return changeOrganization(clerk, organization, patchedMetadata(organization, clerk.body))
  },
  'PUT /v1/organizations/{organization_id}/metadata': (clerk) =>
    changeOrganization(clerk, clerk.organization, filled(clerk.body, METADATA)),
  'PUT /v1/organizations/{organization_id}/logo': setsLogo(true),
  'DELETE /v1/organizations/{organization_id}/logo': setsLogo(false),
  'DELETE /v1/organizations/{organization_id}': (clerk) => {
    const organization = clerk.organization
    for (const collection of ['memberships', 'org_invitations', 'org_domains'] as const)
      clerk.removeAll(collection, 'organization_id', organization.id)
    return clerk.happen('organization.deleted', clerk.remove('organizations', organization))
  },
}

const DOMAINS = '/v1/organizations/{organization_id}/domains'

export const orgDomains: Operations = {
  [`GET ${DOMAINS}`]: (clerk) =>
    clerk.list(clerk.records.org_domains.where({ organization_id: clerk.organization.id }), toOrgDomain),
  [`POST ${DOMAINS}`]: (clerk) => {
    const organization = clerk.organization
    clerk.need('name')
    const name = textOf(clerk.body.name).toLowerCase()
    if (clerk.records.org_domains.some({ name })) clerk.taken('name', 'domain')
    const fields = filled(clerk.body, 'enrollment_mode verified')
    return clerk.happen(
      'organizationDomain.created',
      toOrgDomain(clerk.create('org_domains', { ...fields, name, organization_id: organization.id })),
    )
  },
  [`PATCH ${DOMAINS}/{domain_id}`]: (clerk) => {
    const fields = filled(clerk.body, 'enrollment_mode verified')
    return clerk.happen(
      'organizationDomain.updated',
      toOrgDomain(clerk.update('org_domains', clerk.findInOrganization('org_domains'), fields)),
    )
  },
  [`DELETE ${DOMAINS}/{domain_id}`]: (clerk) => {
    return clerk.happen(
      'organizationDomain.deleted',
      clerk.remove('org_domains', clerk.findInOrganization('org_domains')),
    )
  },
}
