import { valueText } from '../../src/protocol/json.ts'
import { phone } from '../shared/phone.ts'
import {
  ACCOUNT,
  type Fields,
  type Json,
  type Kept,
  type Operations,
  operationsOf,
  type TwilioRequest,
  viewOf,
} from './twilio.ts'

const PATH = `${ACCOUNT}/IncomingPhoneNumbers`
const FIELDS =
  'FriendlyName VoiceUrl VoiceMethod VoiceFallbackUrl VoiceFallbackMethod VoiceCallerIdLookup SmsUrl SmsMethod SmsFallbackUrl SmsFallbackMethod StatusCallback StatusCallbackMethod VoiceApplicationSid SmsApplicationSid TrunkSid EmergencyStatus EmergencyAddressSid BundleSid AddressSid IdentitySid VoiceReceiveMode'
const KINDS = ['Local', 'Mobile', 'TollFree']

const show = viewOf(PATH)

const bought = operationsOf({
  ...{ collection: 'incoming_phone_numbers', path: PATH, fields: FIELDS, show, has: 'read change delete' },
  removed: (twilio, { phone_number = '' }) => twilio.removeAll('service_numbers', { phone_number }),
})

/** A free number of an area code. Those that end so are of Twilio's test credentials. */
const freeNumber = (twilio: TwilioRequest): string => {
  const area = twilio.text('AreaCode')
  return area === '500' ? '+15005550006' : `+1${area}555${twilio.digits(4)}`
}

/** Buys a number. */
function buy(twilio: TwilioRequest, type: string): Fields {
  const { incoming_phone_numbers } = twilio.records
  const asked = twilio.text('PhoneNumber')
  const invalid = (): never => twilio.refuse(21421, 'PhoneNumber is invalid.')
  if (asked === '' && !twilio.has('AreaCode')) invalid()
  if (twilio.body.AreaCode === '533') twilio.refuse(21452, 'No phone numbers found in the area code.')
  const { possible, number = '', friendly = '' } = phone(asked || freeNumber(twilio))
  if (possible !== true || asked === '+15005550001') invalid()
  const kind = /^\+18(?:00|33|44|55|66|77|88)/.test(valueText(number)) ? 'tollfree' : type
  if (asked === '+15005550000' || incoming_phone_numbers.some({ phone_number: number }))
    twilio.refuse(21422, 'PhoneNumber is not available.')
  const made = { account_sid: twilio.account, phone_number: number, friendly_name: friendly, type: kind }
  return show(twilio.create('incoming_phone_numbers', { ...made, ...twilio.sent(FIELDS) }), twilio)
}

/** The numbers of the account, of a type or of all. */
function list(twilio: TwilioRequest, type?: string): Fields {
  const asked = valueText(twilio.query.PhoneNumber ?? '')
  const numbers = twilio.records.incoming_phone_numbers.where((number: Kept) => {
    const isOfType = type === undefined || number.type === type
    return isOfType && number.account_sid === twilio.account && valueText(number.phone_number).includes(asked)
  })
  const found = twilio.asked(numbers, 'FriendlyName')
  return twilio.page('incoming_phone_numbers', found, (number) => show(number, twilio))
}

/** Countries with numbers for sale, and how their numbers begin, those of mobile phones too. */
const COUNTRIES: Readonly<Record<string, readonly [name: string, start: string, mobile?: string]>> = {
  US: ['United States', '415'],
  CA: ['Canada', '416'],
  GB: ['United Kingdom', '+442079460', '+44770090'],
  DE: ['Germany', '+493056790', '+4915100010'],
  FR: ['France', '+33170180', '+3363998'],
  AU: ['Australia', '+61290370', '+6149157'],
  NL: ['Netherlands', '+31208080', '+3161000'],
  ES: ['Spain', '+34910600', '+3460000'],
}
const MOST_FOR_SALE = 30

const showCountry = (twilio: TwilioRequest, code = twilio.path.CountryCode ?? ''): Fields => {
  const uri = `/2010-04-01/Accounts/${twilio.account}/AvailablePhoneNumbers/${code}`
  const below = { local: `${uri}/Local.json`, mobile: `${uri}/Mobile.json`, toll_free: `${uri}/TollFree.json` }
  const country = COUNTRIES[code]?.[0] ?? twilio.gone()
  return { country_code: code, country, beta: false, uri: `${uri}.json`, subresource_uris: below }
}

/** The numbers for sale, which begin with what they must contain. */
function forSale(twilio: TwilioRequest, kind: string): Fields {
  const { query, path, records } = twilio
  const code = path.CountryCode ?? ''
  const [, fixed, mobile = fixed] = COUNTRIES[code] ?? twilio.gone()
  const start = kind === 'Mobile' ? mobile : fixed
  const wanted = valueText(query.Contains ?? '').replace(/\*|\+1/g, '')
  const area = valueText(query.AreaCode ?? (kind === 'TollFree' ? '888' : start))
  const numbers = Array.from({ length: MOST_FOR_SALE }, (_, at) => {
    const line = 2_000 + 37 * at
    return start.startsWith('+') ? `${start}${line}` : `+1${wanted}${`${area}555${line}`.slice(wanted.length)}`
  })
  const free = [...new Set(numbers)].filter((number) => !records.incoming_phone_numbers.some({ phone_number: number }))
  return twilio.page('available_phone_numbers', free, (number) => ({
    ...{ phone_number: number, friendly_name: phone(number).friendly ?? null, iso_country: code },
    ...{ region: query.InRegion ?? (code === 'US' ? 'CA' : null), locality: query.InLocality ?? null },
    ...{ postal_code: query.InPostalCode ?? null, address_requirements: 'none', beta: false },
    capabilities: { voice: true, SMS: true, MMS: true, sms: true, mms: true },
  }))
}

export const numbers: Operations = {
  [`GET ${ACCOUNT}/Addresses/{AddressSid}/DependentPhoneNumbers.json`]: (twilio) => {
    const { sid } = twilio.find('addresses', twilio.path.AddressSid)
    const found = twilio.records.incoming_phone_numbers.where({ address_sid: sid })
    return twilio.page('dependent_phone_numbers', found, (one) => show(one, twilio))
  },
  ...bought,
  [`POST ${PATH}.json`]: (twilio) => buy(twilio, 'local'),
  [`GET ${PATH}.json`]: (twilio) => list(twilio),
  ...Object.fromEntries(
    KINDS.flatMap((kind): [string, Operations[string]][] => [
      [`POST ${PATH}/${kind}.json`, (twilio) => buy(twilio, kind.toLowerCase())],
      [`GET ${PATH}/${kind}.json`, (twilio) => list(twilio, kind.toLowerCase())],
      [`GET ${ACCOUNT}/AvailablePhoneNumbers/{CountryCode}/${kind}.json`, (twilio) => forSale(twilio, kind)],
    ]),
  ),
  [`GET ${ACCOUNT}/AvailablePhoneNumbers.json`]: (twilio) =>
    twilio.page('countries', Object.keys(COUNTRIES), (code): Json => showCountry(twilio, code)),
  [`GET ${ACCOUNT}/AvailablePhoneNumbers/{CountryCode}.json`]: (twilio) => showCountry(twilio),
}
