import { jsonOr, valueText } from '../../src/protocol/json.ts'
import { phone } from '../shared/phone.ts'
import { codeAt, toBase32 } from './codes.ts'
import {
  type Collection,
  type Fields,
  fieldsOf,
  type Kept,
  listOf,
  type Operations,
  operationsOf,
  type Twilio,
  type TwilioRequest,
  textOf,
  timeOf,
  type View,
  viewOf,
  without,
} from './twilio.ts'

const SERVICES = '/verify/v2/Services'
const SERVICE = `${SERVICES}/{ServiceSid}`
const ENTITY = `${SERVICE}/Entities/{Identity}`

const refuse = (twilio: TwilioRequest, field: string, value = twilio.text(field)): never =>
  twilio.refuse(60200, `Invalid parameter \`${field}\`: ${value}`)

const showService: View = (service, twilio) => {
  const shown = viewOf(SERVICES, 'Verifications RateLimits Entities Webhooks')(service, twilio)
  return { ...shown, links: { ...fieldsOf(shown.links), verification_checks: `${shown.url}/VerificationCheck` } }
}

const services = operationsOf({
  ...{ collection: 'verify_services', path: SERVICES, list: 'services', show: showService },
  fields:
    'FriendlyName CodeLength TtsName DefaultTemplateSid LookupEnabled Psd2Enabled SkipSmsToLandlines DtmfInputRequired DoNotShareWarningEnabled CustomCodeEnabled VerifyEventSubscriptionEnabled',
  check: (twilio) => {
    const { CodeLength: length } = twilio.body
    if (typeof length === 'number' && (length < 4 || length > 10)) refuse(twilio, 'CodeLength')
  },
  made: (twilio) => (twilio.has('FriendlyName') ? {} : refuse(twilio, 'FriendlyName')),
})

const serviceOf = (twilio: TwilioRequest): Kept => twilio.find('verify_services', twilio.path.ServiceSid)

const CHANNELS = ['sms', 'call', 'email', 'whatsapp', 'sna', 'auto', 'rcs']
const MOST_ATTEMPTS = 5
const EXPIRY_S = 600

const showVerification = viewOf(`${SERVICE}/Verifications`, '', 'code checks')

/** A number as E.164 has it; other addresses as they are. */
const addressOf = (to: string): string => {
  const { valid, number } = phone(to)
  return valid === true ? textOf(number) : to
}

/** The pending verification with this sid, or to this address: approved, canceled and expired ones are gone. */
const pending = (twilio: TwilioRequest, sid: string, to = sid): Kept | undefined => {
  const open = { service_sid: serviceOf(twilio).sid, status: 'pending' }
  const { verifications } = twilio.records
  return verifications.find({ ...open, sid }) ?? verifications.find({ ...open, to })
}

/** Sends a code: again, where the address has a pending verification. */
function sendCode(twilio: TwilioRequest): Fields {
  const service = serviceOf(twilio)
  const [to, asked, code] = [twilio.text('To'), twilio.text('Channel'), twilio.text('CustomCode')]
  if (!CHANNELS.includes(asked)) refuse(twilio, to === '' ? 'To' : 'Channel')
  if (asked === 'email' ? !to.includes('@') : phone(to).possible !== true) refuse(twilio, 'To')
  if (code !== '' && service.custom_code_enabled !== true)
    twilio.refuse(60204, 'Service does not support this feature', 403)
  const open = pending(twilio, '', addressOf(to))
  const attempts = Array.isArray(open?.send_code_attempts) ? open.send_code_attempts : []
  if (attempts.length >= MOST_ATTEMPTS) twilio.refuse(60203, 'Max send attempts reached', 429)
  countAgainstLimits(twilio)
  const verification = open ?? newVerification(twilio, service, code)
  const channel = asked === 'auto' ? 'sms' : asked
  const attempt = { time: twilio.time, channel: channel.toUpperCase(), attempt_sid: twilio.sid('VL') }
  const fields = { ...twilio.sent('Amount Payee'), channel, send_code_attempts: [...attempts, attempt] }
  return showVerification(twilio.update('verifications', verification, fields), twilio)
}

function newVerification(twilio: TwilioRequest, service: Kept, customCode: string): Kept {
  const code = customCode || '1234567890'.slice(0, Number(service.code_length))
  const above = { account_sid: twilio.account, service_sid: service.sid }
  const verification = twilio.create('verifications', { ...above, to: addressOf(twilio.text('To')), code })
  twilio.later(EXPIRY_S, verification, 'expired')
  return verification
}

/** Counts a verification against the rate limits that its request names, and refuses one too many. */
function countAgainstLimits(twilio: TwilioRequest): void {
  const { RateLimits } = twilio.body
  const { resources } = twilio.records
  const now = twilio.now.getTime()
  const given = typeof RateLimits === 'string' ? jsonOr(RateLimits, null) : RateLimits
  for (const [name, value] of Object.entries(fieldsOf(given))) {
    const named = { service_sid: twilio.path.ServiceSid ?? '', unique_name: name }
    const limit = resources.find(named) ?? refuse(twilio, 'RateLimits', name)
    const key = valueText(value)
    const sent = resources.where({ limit: limit.sid, key })
    const isFull = ({ max, interval }: Fields) =>
      sent.filter(({ at }) => Number(at) > now - Number(interval) * 1_000).length >= Number(max)
    if (resources.where({ rate_limit_sid: limit.sid }).some(isFull)) twilio.refuse(20429, 'Too many requests', 429)
    resources.create({ sid: twilio.sid('XX'), limit: limit.sid, key, at: now })
  }
}

const ATTEMPTS = '/verify/v2/Attempts'

/** Each time that a code was sent, the newest first. */
function attemptsOf({ records, query }: TwilioRequest): Fields[] {
  const { Channel, Status, VerificationSid, VerifyServiceSid } = query
  const isAsked = (value: unknown, asked: unknown): boolean => asked === undefined || value === asked
  return [...records.verifications].flatMap(({ send_code_attempts, status, to, ...verification }) => {
    const conversion_status = status === 'approved' ? 'converted' : 'unconverted'
    const isOf =
      isAsked(verification.sid, VerificationSid) &&
      isAsked(verification.service_sid, VerifyServiceSid) &&
      isAsked(conversion_status, Status)
    return listOf(isOf ? send_code_attempts : [])
      .map(
        ({ attempt_sid = null, channel, time = null }): Fields => ({
          ...{ sid: attempt_sid, account_sid: verification.account_sid ?? null, verification_sid: verification.sid },
          ...{
            service_sid: verification.service_sid ?? null,
            date_created: time,
            date_updated: time,
            conversion_status,
          },
          ...{ channel: textOf(channel).toLowerCase(), price: {}, channel_data: { to: to ?? null } },
          url: `https://verify.twilio.example/v2/Attempts/${attempt_sid}`,
        }),
      )
      .filter(({ channel }) => isAsked(channel, Channel))
      .reverse()
  })
}

const attempts: Operations = {
  [`GET ${ATTEMPTS}`]: (twilio) => twilio.page('attempts', attemptsOf(twilio), (attempt) => attempt),
  [`GET ${ATTEMPTS}/{Sid}`]: (twilio) => attemptsOf(twilio).find(({ sid }) => sid === twilio.path.Sid) ?? twilio.gone(),
}

const verifications: Operations = {
  [`POST ${SERVICE}/Verifications`]: sendCode,
  [`GET ${SERVICE}/Verifications/{Sid}`]: (twilio) =>
    showVerification(pending(twilio, twilio.path.Sid ?? '') ?? twilio.gone(), twilio),
  [`POST ${SERVICE}/Verifications/{Sid}`]: (twilio) => {
    const verification = pending(twilio, twilio.path.Sid ?? '') ?? twilio.gone()
    const status = twilio.text('Status')
    if (!['canceled', 'approved'].includes(status)) refuse(twilio, 'Status')
    const changed = twilio.update('verifications', verification, { status, valid: status === 'approved' })
    return showVerification(changed, twilio)
  },
  [`POST ${SERVICE}/VerificationCheck`]: (twilio) => {
    serviceOf(twilio)
    const [to, sid, code] = [twilio.text('To'), twilio.text('VerificationSid'), twilio.text('Code')]
    if (to === '' && sid === '') refuse(twilio, 'To')
    if (code === '') refuse(twilio, 'Code')
    const verification = pending(twilio, sid, addressOf(to)) ?? twilio.gone()
    const checks = Number(verification.checks)
    if (checks >= MOST_ATTEMPTS) twilio.refuse(60202, 'Max check attempts reached', 429)
    const valid = code === verification.code
    const fields = { checks: checks + 1, status: valid ? 'approved' : 'pending', valid }
    const shown = showVerification(twilio.update('verifications', verification, fields), twilio)
    return without(shown, 'lookup send_code_attempts sna url')
  },
}

const FACTORS = `${ENTITY}/Factors`
const CHALLENGES = `${ENTITY}/Challenges`

/** What an entity's factors and challenges have in common. */
function entityOf(twilio: TwilioRequest): { account_sid: string; service_sid: string; identity: string } {
  const service_sid = serviceOf(twilio).sid
  const { Identity: identity = '' } = twilio.path
  if (identity.length < 8 || identity.length > 64) refuse(twilio, 'Identity', identity)
  return { account_sid: twilio.account, service_sid, identity }
}

const showFactor = viewOf(FACTORS, '', 'secret')
const showChallenge = viewOf(CHALLENGES)

const belowEntity = (twilio: TwilioRequest, collection: Collection, sid: string): Kept =>
  twilio.records[collection].find({ ...entityOf(twilio), sid }) ?? twilio.gone()

/** Whether the code that was sent is that of now, or of `skew` steps before or after. */
function isRight({ body, now }: TwilioRequest, { config, secret = '' }: Kept): boolean {
  const { alg, code_length, skew, time_step } = fieldsOf(config)
  const step = Math.floor(now.getTime() / 1_000 / Number(time_step))
  const steps = Array.from({ length: 2 * Number(skew) + 1 }, (_, at) => step + at - Number(skew))
  return steps.some((at) => codeAt(textOf(secret), at, textOf(alg), Number(code_length)) === body.AuthPayload)
}

/** How the codes of a new factor are made: as the request or the service says. */
function configOf({ body }: TwilioRequest, totp: Fields): Fields {
  return {
    alg: body['Config.Alg'] ?? 'sha1',
    skew: body['Config.Skew'] ?? totp.skew ?? 1,
    code_length: body['Config.CodeLength'] ?? totp.code_length ?? 6,
    time_step: body['Config.TimeStep'] ?? totp.time_step ?? 30,
  }
}

/** Made by its first factor, or before. */
const entities = operationsOf({
  ...{ collection: 'resources', path: `${SERVICE}/Entities`, list: 'entities', name: 'identity', needed: 'Identity' },
  ...{ fields: 'Identity', has: 'create list read delete', show: viewOf(`${SERVICE}/Entities`, '', 'kind') },
  above: (twilio) => ({ account_sid: twilio.account, service_sid: serviceOf(twilio).sid, kind: 'YE' }),
  made: (twilio) => ({ sid: twilio.sid('YE') }),
  removed: (twilio, { identity = '' }) => twilio.removeAll('factors', { identity }),
})

const factors: Operations = {
  ...entities,
  [`POST ${FACTORS}`]: (twilio) => {
    const entity = entityOf(twilio)
    if (twilio.body.FactorType !== 'totp' || !twilio.has('FriendlyName')) refuse(twilio, 'FactorType')
    const secret = twilio.text('Binding.Secret') || toBase32(Buffer.from(twilio.letters(20)))
    const { totp, friendly_name = '' } = serviceOf(twilio)
    const config = configOf(twilio, fieldsOf(totp))
    const kept = { ...entity, kind: 'YE' }
    const { resources } = twilio.records
    const entity_sid = (resources.find(kept) ?? twilio.create('resources', { ...kept, sid: twilio.sid('YE') })).sid
    const name = twilio.text('FriendlyName')
    const fields = { entity_sid, friendly_name: name, factor_type: 'totp', status: 'unverified', secret, config }
    const issuer = encodeURIComponent(textOf(fieldsOf(totp).issuer) || textOf(friendly_name))
    const codes = `algorithm=${textOf(config.alg).toUpperCase()}&digits=${config.code_length}&period=${config.time_step}`
    const uri = `otpauth://totp/${issuer}:${encodeURIComponent(name)}?secret=${secret}&issuer=${issuer}&${codes}`
    const factor = twilio.create('factors', { ...entity, ...fields, ...twilio.sent('Metadata') })
    return { ...showFactor(factor, twilio), binding: { secret, uri } }
  },
  [`GET ${FACTORS}`]: (twilio) => {
    const found = twilio.records.factors.where(entityOf(twilio)).reverse()
    return twilio.page('factors', found, (factor) => showFactor(factor, twilio))
  },
  [`GET ${FACTORS}/{Sid}`]: (twilio) => showFactor(belowEntity(twilio, 'factors', twilio.path.Sid ?? ''), twilio),
  [`POST ${FACTORS}/{Sid}`]: (twilio) => {
    const factor = belowEntity(twilio, 'factors', twilio.path.Sid ?? '')
    const friendly_name = twilio.text('FriendlyName') || (factor.friendly_name ?? '')
    const status = isRight(twilio, factor) ? 'verified' : (factor.status ?? '')
    return showFactor(twilio.update('factors', factor, { friendly_name, status }), twilio)
  },
  [`DELETE ${FACTORS}/{Sid}`]: (twilio) => {
    twilio.records.factors.remove(belowEntity(twilio, 'factors', twilio.path.Sid ?? ''))
    return twilio.empty
  },
  [`POST ${CHALLENGES}`]: (twilio) => {
    const factor = belowEntity(twilio, 'factors', twilio.text('FactorSid'))
    const right = isRight(twilio, factor)
    const challenge = twilio.create('challenges', {
      ...{ ...entityOf(twilio), entity_sid: factor.entity_sid ?? '', factor_sid: factor.sid, factor_type: 'totp' },
      ...{ date_responded: right ? twilio.time : null, expiration_date: timeOf(twilio.now.getTime() + 300_000) },
      status: right && factor.status === 'verified' ? 'approved' : 'pending',
    })
    return showChallenge(challenge, twilio)
  },
  [`GET ${CHALLENGES}`]: (twilio) =>
    twilio.page('challenges', twilio.records.challenges.where(entityOf(twilio)), (challenge) =>
      showChallenge(challenge, twilio),
    ),
  [`GET ${CHALLENGES}/{Sid}`]: (twilio) =>
    showChallenge(belowEntity(twilio, 'challenges', twilio.path.Sid ?? ''), twilio),
}

/** Nobody has sent the code in time. */
export function expire(twilio: Twilio, verification: Kept): void {
  if (verification.status === 'pending') twilio.update('verifications', verification, { status: 'expired' })
}

export const verify: Operations = { ...services, ...verifications, ...attempts, ...factors }
