import { type JsonObject, valueText } from '../../src/protocol/json.ts'
import { phone } from '../shared/phone.ts'
import type { Fields, Json, Operations, TwilioRequest } from './twilio.ts'

const CARRIER = { mobile_country_code: '310', mobile_network_code: '456', error_code: null }
const CALLER = { caller_name: 'ADA LOVELACE', caller_type: 'CONSUMER', error_code: null }

/** The same facts for each number; null for those that are not simulated. */
const FACTS: Fields = {
  ...{ identity_match: null, phone_number_quality_score: null, pre_fill: null },
  call_forwarding: { call_forwarding_enabled: false, error_code: null },
  line_status: { status: 'active', error_code: null },
  reassigned_number: { is_number_reassigned: 'no', last_verified_date: null, error_code: null },
  caller_name: CALLER,
  line_type_intelligence: { ...CARRIER, carrier_name: 'Backlot Mobile', type: 'mobile' },
  sim_swap: {
    ...{ ...CARRIER, carrier_name: 'Backlot Mobile' },
    last_sim_swap: { last_sim_swap_date: null, swapped_period: 'PT24H', swapped_in_period: false },
  },
  sms_pumping_risk: {
    ...{ carrier_risk_category: 'low', number_blocked: false, number_blocked_date: null },
    ...{ number_blocked_last_3_months: false, sms_pumping_risk_score: 0, error_code: null },
  },
}

const askedNumber = ({ path, query }: TwilioRequest): JsonObject =>
  phone({ of: path.PhoneNumber ?? '', country: query.CountryCode ?? null })

const lookups: Operations = {
  'GET /lookups/v2/PhoneNumbers/{PhoneNumber}': (twilio) => {
    const { valid, number = twilio.path.PhoneNumber ?? '', error = null, ...of } = askedNumber(twilio)
    const fields = valueText(twilio.query.Fields ?? '').split(',')
    return {
      ...{ calling_country_code: of.calling_code ?? null, country_code: of.country ?? null, phone_number: number },
      ...{ national_format: of.national ?? null, valid, validation_errors: valid ? [] : [error] },
      ...Object.fromEntries(Object.entries(FACTS).map(([name, fact]) => [name, fields.includes(name) ? fact : null])),
      url: `https://lookups.twilio.example/v2/PhoneNumbers/${number}`,
    }
  },
  'GET /lookups/v1/PhoneNumbers/{PhoneNumber}': (twilio) => {
    const { valid, number, country, national } = askedNumber(twilio)
    if (valid !== true) twilio.gone()
    const types = [twilio.query.Type ?? []].flat()
    return {
      caller_name: types.includes('caller-name') ? CALLER : null,
      carrier: types.includes('carrier') ? { ...CARRIER, name: 'Backlot Mobile', type: 'mobile' } : null,
      ...{ country_code: country, phone_number: number, national_format: national, add_ons: null },
      url: `https://lookups.twilio.example/v1/PhoneNumbers/${number}`,
    }
  },
}

/** Prices in US dollars. */
const PRICES = [
  { iso_country: 'US', country: 'United States', sms: '0.0083', call: '0.0140', number: '1.15' },
  { iso_country: 'CA', country: 'Canada', sms: '0.0083', call: '0.0140', number: '1.15' },
  { iso_country: 'GB', country: 'United Kingdom', sms: '0.0524', call: '0.0158', number: '1.15' },
  { iso_country: 'DE', country: 'Germany', sms: '0.1168', call: '0.0220', number: '1.50' },
  { iso_country: 'FR', country: 'France', sms: '0.0798', call: '0.0185', number: '1.15' },
  { iso_country: 'AU', country: 'Australia', sms: '0.0515', call: '0.0252', number: '3.00' },
]
type Price = (typeof PRICES)[number]

const same = (price: string) => ({ base_price: price, current_price: price })
const ofEach = (price: string): Json => ['local', 'mobile'].map((type) => ({ number_type: type, ...same(price) }))

const countries = (twilio: TwilioRequest): Fields =>
  twilio.page('countries', PRICES, ({ country, iso_country }) => ({
    ...{ country, iso_country, url: `${twilio.of.origin}${twilio.target}/${iso_country}` },
  }))

/** What a country costs, or the country of a number. */
const priced =
  (show: (price: Price, number: Json, twilio: TwilioRequest) => Fields) =>
  (twilio: TwilioRequest): Fields => {
    const { IsoCountry, Number: number, DestinationNumber = number } = twilio.path
    const called = phone(DestinationNumber ?? '')
    const price = PRICES.find(({ iso_country }) => iso_country === (IsoCountry ?? called.country)) ?? twilio.gone()
    const { country, iso_country } = price
    const url = `${twilio.of.origin}${twilio.target}`
    return { country, iso_country, price_unit: 'USD', url, ...show(price, called.number ?? null, twilio) }
  }

const voice = priced(({ call, country }) => ({
  outbound_prefix_prices: [
    {
      ...{ friendly_name: `Programmable Outbound Minute - ${country}`, prefixes: ['1'], destination_prefixes: ['1'] },
      ...{ origination_prefixes: ['ALL'], ...same(call) },
    },
  ],
  inbound_call_prices: [{ number_type: 'local', ...same('0.0085') }],
}))

const INBOUND = { number_type: null, base_price: null, current_price: null }

const pricing: Operations = {
  'GET /pricing/v1/Messaging/Countries': countries,
  'GET /pricing/v1/Voice/Countries': countries,
  'GET /pricing/v2/Voice/Countries': countries,
  'GET /pricing/v1/PhoneNumbers/Countries': countries,
  'GET /pricing/v1/Messaging/Countries/{IsoCountry}': priced(({ sms }) => ({
    outbound_sms_prices: [{ carrier: 'Other', mcc: '001', mnc: '01', prices: ofEach(sms) }],
    inbound_sms_prices: ofEach('0.0083'),
  })),
  'GET /pricing/v1/PhoneNumbers/Countries/{IsoCountry}': priced(({ number }) => ({
    phone_number_prices: ofEach(number),
  })),
  'GET /pricing/v1/Voice/Countries/{IsoCountry}': voice,
  'GET /pricing/v2/Voice/Countries/{IsoCountry}': voice,
  'GET /pricing/v1/Voice/Numbers/{Number}': priced(({ call }, number) => ({
    ...{ number, outbound_call_price: same(call), inbound_call_price: INBOUND },
  })),
  'GET /pricing/v2/Voice/Numbers/{DestinationNumber}': priced(({ call }, number, { query }) => ({
    ...{ destination_number: number, origination_number: query.OriginationNumber ?? null },
    ...{ outbound_call_prices: [{ origination_prefixes: ['ALL'], ...same(call) }], inbound_call_price: INBOUND },
  })),
}

export const facts: Operations = { ...lookups, ...pricing }
