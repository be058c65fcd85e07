import { valueText } from '../../src/protocol/json.ts'
import {
  type Due,
  type Fields,
  fieldsOf,
  given,
  type Json,
  type Kept,
  type Operations,
  only,
  Resend,
  type ResendRequest,
  shown,
} from './resend.ts'

const MINUTE_S = 60
const DAY_S = 86_400
const REGIONS = ['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1']
/** What a request sets as it is. */
const SENT = 'region custom_return_path open_tracking click_tracking tls tracking_subdomain'
/** What a request changes. */
const CHANGED = 'open_tracking click_tracking tls tracking_subdomain'

/** The records that a domain has in the DNS. */
function dnsOf({ id, name, region, status, custom_return_path, capabilities, tracking_subdomain }: Kept): Fields[] {
  const { sending, receiving } = fieldsOf(capabilities)
  const state = status === 'verified' || status === 'pending' ? status : 'not_started'
  const dns = (record: string, type: string, host: Json | undefined, value: string): Fields => ({
    ...{ record, name: host ?? null, type, ttl: 'Auto', status: state, value },
    ...(type === 'MX' && { priority: 10 }),
  })
  const forSending = [
    dns('SPF', 'MX', custom_return_path, `feedback-smtp.${region}.mail.example`),
    dns('SPF', 'TXT', custom_return_path, '"v=spf1 include:mail.example ~all"'),
    dns('DKIM', 'TXT', 'resend._domainkey', `p=${Buffer.from(id).toString('base64')}`),
  ]
  return [
    ...(sending === 'enabled' ? forSending : []),
    ...(receiving === 'enabled' ? [dns('Receiving', 'MX', name, `inbound-smtp.${region}.mail.example`)] : []),
    ...(tracking_subdomain ? [dns('Tracking', 'CNAME', tracking_subdomain, 'links.resend.example')] : []),
  ]
}

const toItem = (domain: Kept): Fields => ({
  ...shown(domain, 'id name status created_at region capabilities open_tracking click_tracking'),
  ...(domain.tracking_subdomain && { tracking_subdomain: domain.tracking_subdomain }),
})

const toDomain = (domain: Kept): Fields => ({
  ...{ object: 'domain', ...toItem(domain), tls: domain.tls ?? null, records: dnsOf(domain) },
})

/** Sends the event of a domain. */
const happen = (resend: Resend, verb: string, domain: Kept): void =>
  resend.happen(`domain.${verb}`, { ...only(domain, 'id name status created_at region'), records: dnsOf(domain) })

/** The name of the domain that a request adds, which no other has. */
function newName(resend: ResendRequest): string {
  resend.need('name')
  const name = valueText(resend.body.name)
  if (resend.records.domains.some({ name: name.toLowerCase() }))
    resend.refuse({ status: 403, message: `The ${name} domain has been registered already.` })
  return name.toLowerCase()
}

/** Changes the domain that the path names. */
function change(resend: ResendRequest, domain: Kept, fields: Fields): Fields {
  happen(resend, 'updated', resend.records.domains.update(domain, fields))
  return resend.named('domains', domain)
}

/** What the plan calls. */
export const verifyDomain = (due: Due): void =>
  happen(new Resend(due), 'updated', due.update({ status: 'verified', verifies_at: null }) as Kept)

const toClaim = (claim: Kept): Fields => ({
  ...{ object: 'domain_claim', blocked_reason: null, failure_reason: null, ...claim },
})

const claimOf = (resend: ResendRequest): Kept =>
  resend.records.claims.find({ domain_id: resend.of.path.domain_id }) ?? resend.gone('Domain claim')

export const domains: Operations = {
  'POST /domains': (resend) => {
    const { region = null, capabilities } = resend.body
    resend.need('name')
    if (region !== null && !REGIONS.includes(String(region)))
      resend.refuse({
        name: 'invalid_region',
        message: `Region must be ${REGIONS.map((one) => `"${one}"`).join(' | ')}`,
      })
    if (!valueText(resend.body.name).split('.')[1])
      resend.refuse({ message: `The domain ${resend.body.name} is invalid.` })
    const domain = resend.create('domains', {
      ...given(resend.body, SENT),
      name: newName(resend),
      capabilities: { sending: 'enabled', receiving: 'disabled', ...fieldsOf(capabilities) },
    })
    happen(resend, 'created', domain)
    return toDomain(domain)
  },
  'GET /domains': (resend) => resend.list(resend.records.domains, toItem, Infinity),
  'GET /domains/{domain_id}': (resend) => toDomain(resend.find('domains')),
  'PATCH /domains/{domain_id}': (resend) => {
    const domain = resend.find('domains')
    const capabilities = { ...fieldsOf(domain.capabilities), ...fieldsOf(resend.body.capabilities) }
    return change(resend, domain, { ...given(resend.body, CHANGED), capabilities })
  },
  'DELETE /domains/{domain_id}': (resend) => {
    happen(resend, 'deleted', resend.find('domains'))
    return resend.remove('domains')
  },
  'POST /domains/{domain_id}/verify': (resend) => {
    const domain = resend.find('domains')
    if (domain.status === 'verified') return resend.named('domains', domain)
    return change(resend, domain, { status: 'pending', verifies_at: resend.later(2 * MINUTE_S) })
  },
  'POST /domains/claim': (resend) => {
    const fields = Object.entries(given(resend.body, 'region custom_return_path')).map(([key, one]) => [
      key,
      String(one),
    ])
    const { id, name, region } = resend.create('domains', { ...Object.fromEntries(fields), name: newName(resend) })
    const value = `resend-domain-claim=${id}`
    const claim = resend.records.claims.create({
      ...{ name, domain_id: id, region, record: { type: 'TXT', name: `_resend-claim.${name}`, value, ttl: 'Auto' } },
      ...{ created_at: resend.time, expires_at: resend.later(7 * DAY_S) },
    })
    return toClaim(claim)
  },
  'GET /domains/{domain_id}/claim': (resend) => toClaim(claimOf(resend)),
  'POST /domains/{domain_id}/claim/verify': (resend) =>
    toClaim(resend.records.claims.update(claimOf(resend), { status: 'completed' })),
}
