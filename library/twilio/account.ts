import { valueText } from '../../src/protocol/json.ts'
import { phone } from '../shared/phone.ts'
import { refuseNumber } from './sending.ts'
import {
  ACCOUNT,
  API_VERSION,
  type Collection,
  type Fields,
  type Kept,
  mailTime,
  type Operations,
  only,
  operationsOf,
  type Twilio,
  type TwilioRequest,
  viewOf,
} from './twilio.ts'

const showAccount = viewOf(
  '/2010-04-01/Accounts',
  'Messages Calls IncomingPhoneNumbers Applications Recordings Conferences',
)

/** Any sid of an account names one. */
function accountOf({ records, of }: TwilioRequest, sid: string): Kept {
  const first = '2024-01-01T00:00:00Z'
  const usual = {
    friendly_name: 'Test account',
    status: 'active',
    type: 'Full',
    date_created: first,
    date_updated: first,
  }
  return records.accounts.get(sid) ?? { sid, ...usual, auth_token: of.key, owner_account_sid: sid }
}

const accounts: Operations = {
  'POST /2010-04-01/Accounts.json': (twilio) => {
    const account = twilio.create('accounts', {
      friendly_name: twilio.text('FriendlyName') || `SubAccount Created at ${twilio.time}`,
      auth_token: twilio.hex(32),
      owner_account_sid: twilio.account,
    })
    twilio.create('keys', { account_sid: account.sid, secret: account.auth_token ?? null, is_token: true })
    return showAccount(account, twilio)
  },
  'GET /2010-04-01/Accounts.json': (twilio) => {
    const own = accountOf(twilio, twilio.account)
    const others = [...twilio.records.accounts].filter(({ sid }) => sid !== own.sid)
    const asked = twilio.asked([own, ...others], 'FriendlyName Status')
    return twilio.page('accounts', asked, (account) => showAccount(account, twilio))
  },
  'GET /2010-04-01/Accounts/{Sid}.json': (twilio) => {
    const { Sid = '' } = twilio.path
    return Sid.startsWith('AC') ? showAccount(accountOf(twilio, Sid), twilio) : twilio.gone()
  },
  'POST /2010-04-01/Accounts/{Sid}.json': (twilio) => {
    const { accounts } = twilio.records
    const { Sid = '' } = twilio.path
    if (!/^AC[0-9a-f]{32}$/.test(Sid)) twilio.gone()
    const account = accounts.get(Sid) ?? accounts.create(accountOf(twilio, Sid))
    return showAccount(twilio.update('accounts', account, twilio.sent('FriendlyName Status')), twilio)
  },
  [`GET ${ACCOUNT}/Balance.json`]: ({ account }) => ({ account_sid: account, balance: '100.00', currency: 'USD' }),
  [`POST ${ACCOUNT}/Tokens.json`]: (twilio) => {
    const url = 'stun:global.stun.twilio.example:3478'
    const date = mailTime(twilio.now)
    const token = { username: twilio.hex(64), password: twilio.letters(44), ttl: twilio.text('Ttl') || '86400' }
    const dates = { date_created: date, date_updated: date }
    return { account_sid: twilio.account, ...dates, ...token, ice_servers: [{ url, urls: url }] }
  },
}

const none = (list: string) => (twilio: TwilioRequest) => twilio.page(list, [], String)

/** Lists of what is not simulated. */
const emptyLists: Operations = {
  [`GET ${ACCOUNT}/Transcriptions.json`]: none('transcriptions'),
  [`GET ${ACCOUNT}/SMS/ShortCodes.json`]: none('short_codes'),
  [`GET ${ACCOUNT}/Calls/{CallSid}/Notifications.json`]: none('notifications'),
  [`GET ${ACCOUNT}/Calls/{CallSid}/Events.json`]: none('events'),
  'GET /messaging/v1/Services/{ServiceSid}/ShortCodes': none('short_codes'),
  'GET /monitor/v1/Alerts': none('alerts'),
  'GET /monitor/v1/Events': none('events'),
  [`GET ${ACCOUNT}/Notifications.json`]: none('notifications'),
  [`GET ${ACCOUNT}/Recordings/{RecordingSid}/Transcriptions.json`]: none('transcriptions'),
  'GET /verify/v2/Templates': none('templates'),
}

const showKey = (key: Kept): Fields => ({
  ...only(key, 'sid friendly_name'),
  date_created: mailTime(key.date_created),
  date_updated: mailTime(key.date_updated),
})

const showIamKey = (key: Kept): Fields => only(key, 'sid friendly_name date_created date_updated')

/** https://www.twilio.com/docs/iam/api-keys/key-resource-v1 */
const iamKeys: Operations = {
  ...operationsOf({
    ...{ collection: 'keys', path: '/iam/v1/Keys', fields: 'FriendlyName', show: showIamKey },
    above: ({ account, query }) => ({ account_sid: query.AccountSid ?? account, is_token: false }),
  }),
  'POST /iam/v1/Keys': (twilio) => {
    const secret = twilio.letters(32)
    const above = { account_sid: twilio.text('AccountSid') || twilio.account, secret }
    return { ...showIamKey(twilio.create('keys', { ...above, ...twilio.sent('FriendlyName') })), secret, policy: null }
  },
}

const keysAt = (path: string, list: string): Operations => ({
  ...operationsOf({
    ...{ collection: 'keys', path, list, fields: 'FriendlyName', show: showKey },
    above: ({ account }) => ({ account_sid: account, is_token: false }),
  }),
  [`POST ${path}.json`]: (twilio) => {
    const secret = twilio.letters(32)
    const key = twilio.create('keys', { account_sid: twilio.account, secret, ...twilio.sent('FriendlyName') })
    return { ...showKey(key), secret }
  },
})

/** A signing key is a key by an earlier name. */
const keys: Operations = {
  ...iamKeys,
  ...keysAt(`${ACCOUNT}/Keys`, 'keys'),
  ...keysAt(`${ACCOUNT}/SigningKeys`, 'signing_keys'),
}

const applications = operationsOf({
  ...{ collection: 'applications', path: `${ACCOUNT}/Applications`, filters: 'FriendlyName' },
  fields:
    'FriendlyName VoiceUrl VoiceMethod VoiceFallbackUrl VoiceFallbackMethod VoiceCallerIdLookup SmsUrl SmsMethod SmsFallbackUrl SmsFallbackMethod StatusCallback StatusCallbackMethod SmsStatusCallback MessageStatusCallback PublicApplicationConnectEnabled',
  show: viewOf(`${ACCOUNT}/Applications`),
})

const addresses = operationsOf({
  ...{ collection: 'addresses', path: `${ACCOUNT}/Addresses`, filters: 'CustomerName FriendlyName IsoCountry' },
  needed: 'CustomerName Street City Region PostalCode IsoCountry',
  fields: 'CustomerName Street StreetSecondary City Region PostalCode IsoCountry FriendlyName EmergencyEnabled',
  show: viewOf(`${ACCOUNT}/Addresses`),
})

const callerIds: Operations = {
  ...operationsOf({
    ...{ collection: 'outgoing_caller_ids', path: `${ACCOUNT}/OutgoingCallerIds`, fields: 'FriendlyName' },
    filters: 'PhoneNumber FriendlyName',
    show: viewOf(`${ACCOUNT}/OutgoingCallerIds`),
  }),
  [`POST ${ACCOUNT}/OutgoingCallerIds.json`]: (twilio) => {
    const { possible, number = '', friendly = '' } = phone(twilio.text('PhoneNumber'))
    if (possible !== true) refuseNumber(twilio, twilio.text('PhoneNumber'))
    const fields = { account_sid: twilio.account, phone_number: number }
    const friendly_name = twilio.text('FriendlyName') || friendly
    twilio.create('outgoing_caller_ids', { ...fields, friendly_name })
    return { ...fields, friendly_name, validation_code: '123456', call_sid: twilio.sid('CA') }
  },
}

/** What is counted, with its price in US dollars each. */
const USAGE: readonly (readonly [
  category: string,
  of: Collection,
  unit: string,
  price: number,
  description: string,
])[] = [
  ['sms', 'messages', 'messages', 0.0079, 'SMS'],
  ['sms-outbound', 'messages', 'messages', 0.0079, 'Outbound SMS'],
  ['sms-inbound', 'messages', 'messages', 0.0079, 'Inbound SMS'],
  ['calls', 'calls', 'minutes', 0.014, 'Voice Minutes'],
  ['calls-outbound', 'calls', 'minutes', 0.014, 'Outbound Voice Minutes'],
  ['recordings', 'recordings', 'minutes', 0.0025, 'Recordings'],
  ['phonenumbers', 'incoming_phone_numbers', 'numbers', 1.15, 'Phone Numbers'],
]

function usage(twilio: TwilioRequest): Fields {
  const { query, account, time } = twilio
  const [today] = time.split('T')
  const rows = USAGE.filter(([category]) => !query.Category || query.Category === category)
  return twilio.page('usage_records', rows, ([category, collection, unit, price, description]) => {
    const count = countOf(twilio, category, collection)
    return {
      ...{ account_sid: account, api_version: API_VERSION, as_of: time, category, description },
      ...{ count: valueText(count), count_unit: collection === 'incoming_phone_numbers' ? 'numbers' : collection },
      ...{ usage: valueText(count), usage_unit: unit, price: (count * price).toFixed(4), price_unit: 'usd' },
      ...{ start_date: query.StartDate ?? today ?? '', end_date: query.EndDate ?? today ?? '', subresource_uris: {} },
      uri: `/2010-04-01/Accounts/${account}/Usage/Records.json?Category=${category}`,
    }
  })
}

/** How many records a category counts: of both directions, or of the one that its name ends with. */
function countOf({ records, account }: Twilio & { account: string }, category: string, collection: Collection): number {
  const direction = category.split('-')[1]
  const found = records[collection].where({ account_sid: account })
  if (direction === undefined) return found.length
  return found.filter((record) => (record.direction === 'inbound') === (direction === 'inbound')).length
}

export const account: Operations = {
  ...{ ...accounts, ...addresses, ...applications, ...callerIds, ...emptyLists, ...keys },
  [`GET ${ACCOUNT}/Usage/Records.json`]: usage,
  [`GET ${ACCOUNT}/Usage/Records/{Sid}.json`]: usage,
}
