import { ACCOUNT, type Fields, type Json, type Kept, mailTime, type Operations, type TwilioRequest } from './twilio.ts'

const DOMAIN = `${ACCOUNT}/SIP/Domains/{DomainSid}`
const LISTS = { CredentialList: 'CL', IpAccessControlList: 'AL' }
/** Where a domain names lists, and which. */
const PLACES: readonly (readonly [path: string, list: keyof typeof LISTS])[] = [
  ['', 'CredentialList'],
  ['', 'IpAccessControlList'],
  ['/Auth/Calls', 'CredentialList'],
  ['/Auth/Calls', 'IpAccessControlList'],
  ['/Auth/Registrations', 'CredentialList'],
]

/** The fields of a domain that keep them. */
export const MAPS = PLACES.map(([place, list]) => `maps${place}/${list}`).join(' ')

/** The lists of credentials and addresses that a domain accepts; the records are those of the lists. */
export const sipMappings: Operations = Object.assign(
  {},
  ...PLACES.map(([place, list]): Operations => {
    const path = `${DOMAIN}${place}/${list}Mappings`
    const field = `maps${place}/${list}`
    const domainOf = (twilio: TwilioRequest): Kept => twilio.find('resources', twilio.path.DomainSid)
    const sidsOf = (domain: Fields): Json[] => (Array.isArray(domain[field]) ? domain[field] : [])
    const show = (twilio: TwilioRequest, { account_sid = '', friendly_name = '', sid, ...list }: Kept): Fields => ({
      ...{ account_sid, friendly_name, sid, date_created: mailTime(list.date_created) },
      date_updated: mailTime(list.date_updated),
      ...(place === '' && {
        domain_sid: domainOf(twilio).sid,
        uri: `${twilio.target.replace(/(?:\/\w+)?\.json$/, '')}/${sid}.json`,
      }),
    })
    const mapped = (twilio: TwilioRequest): Kept[] =>
      sidsOf(domainOf(twilio)).flatMap((sid) => twilio.records.resources.get(String(sid)) ?? [])
    const find = (twilio: TwilioRequest): Kept =>
      mapped(twilio).find(({ sid }) => sid === twilio.path.Sid) ?? twilio.gone()
    const name =
      place === '' && list === 'CredentialList'
        ? 'credential_list_mappings'
        : place === ''
          ? 'ip_access_control_list_mappings'
          : 'contents'
    return {
      [`GET ${path}.json`]: (twilio) => twilio.page(name, mapped(twilio), (one) => show(twilio, one)),
      [`POST ${path}.json`]: (twilio) => {
        twilio.need(`${list}Sid`)
        const domain = domainOf(twilio)
        const added =
          twilio.records.resources.find({ kind: LISTS[list], sid: twilio.text(`${list}Sid`) }) ?? twilio.gone()
        twilio.update('resources', domain, { [field]: [...new Set([...sidsOf(domain), added.sid])] })
        return show(twilio, added)
      },
      [`GET ${path}/{Sid}.json`]: (twilio) => show(twilio, find(twilio)),
      [`DELETE ${path}/{Sid}.json`]: (twilio) => {
        const [domain, { sid }] = [domainOf(twilio), find(twilio)]
        twilio.update('resources', domain, { [field]: sidsOf(domain).filter((one) => one !== sid) })
        return twilio.empty
      },
    }
  }),
)
