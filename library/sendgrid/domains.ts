import { type Fields, type Kept, type Operations, operationsOf } from './sendgrid.ts'

const DOMAIN = {
  ...{ domain: '', subdomain: '', username: '', ips: [], custom_spf: false, default: false },
  ...{ legacy: false, automatic_security: true },
}
const LINK = { domain: '', subdomain: '', default: false }

const VALID = { valid: true, reason: null }
const cname = (host: string, data: string, valid: unknown): Fields => ({
  valid: valid === true,
  type: 'cname',
  host,
  data,
})

const toDomain = (record: Kept): Fields => {
  const { domain, subdomain, valid } = record
  const dns = {
    mail_cname: cname(`${subdomain}.${domain}`, 'u1.wl.sendgrid.example', valid),
    dkim1: cname(`s1._domainkey.${domain}`, 's1.domainkey.u1.wl.sendgrid.example', valid),
    dkim2: cname(`s2._domainkey.${domain}`, 's2.domainkey.u1.wl.sendgrid.example', valid),
  }
  return { ...record, dns }
}

const toLink = (link: Kept): Fields => ({
  ...link,
  dns: {
    domain_cname: cname(`${link.subdomain}.${link.domain}`, 'sendgrid.example', link.valid),
    owner_cname: cname(`1.${link.domain}`, 'sendgrid.example', link.valid),
  },
})

export const domains: Operations = {
  ...operationsOf({
    ...{ collection: 'domains', path: '/v3/whitelabel/domains', param: 'domain_id', needed: 'domain', form: DOMAIN },
    made: ({ body }) => ({ subdomain: body.subdomain ?? 'em1' }),
    show: toDomain,
    list: (shown, sendgrid) => {
      const { domain } = sendgrid.query
      return sendgrid.page(shown.filter((one) => domain === undefined || one.domain === domain))
    },
  }),
  'PATCH /v3/whitelabel/domains/{domain_id}': (sendgrid) =>
    toDomain(sendgrid.change('domains', sendgrid.sent({ default: false, custom_spf: false }))),
  'POST /v3/whitelabel/domains/{domain_id}/validate': (sendgrid) => {
    const { id } = sendgrid.records.domains.update(sendgrid.find('domains', sendgrid.path.domain_id), { valid: true })
    return { id, valid: true, validation_results: { mail_cname: VALID, dkim1: VALID, dkim2: VALID } }
  },
  'GET /v3/whitelabel/domains/default': (sendgrid) => {
    const { domain } = sendgrid.query
    const found = sendgrid.records.domains.find(domain === undefined ? { default: true } : { domain })
    return found ? toDomain(found) : sendgrid.refuse('no default domain found', undefined, 404)
  },
  ...operationsOf({
    ...{ collection: 'links', path: '/v3/whitelabel/links', param: 'id', needed: 'domain', form: LINK },
    made: ({ body }) => ({ subdomain: body.subdomain ?? 'url' }),
    show: toLink,
    list: (shown) => shown,
  }),
  'PATCH /v3/whitelabel/links/{id}': (sendgrid) => toLink(sendgrid.change('links', sendgrid.sent({ default: false }))),
  'POST /v3/whitelabel/links/{id}/validate': (sendgrid) => {
    const { id } = sendgrid.records.links.update(sendgrid.find('links'), { valid: true })
    return { id, valid: true, validation_results: { domain_cname: VALID, owner_cname: VALID } }
  },
}
