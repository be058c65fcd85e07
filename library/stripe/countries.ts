import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, textOf, toPage } from './context.ts'
import { isGiven, type Stripe } from './stripe.ts'

/** Countries of accounts, by their currency: https://docs.stripe.com/connect/cross-border-payouts and https://stripe.com/global */
const COUNTRIES = new Map(
  Object.entries({
    eur: 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
    usd: 'US EC PA PR SV',
    aed: 'AE',
    all: 'AL',
    amd: 'AM',
    ars: 'AR',
    aud: 'AU',
    bam: 'BA',
    bdt: 'BD',
    bgn: 'BG',
    bhd: 'BH',
    bnd: 'BN',
    bob: 'BO',
    brl: 'BR',
    bwp: 'BW',
    cad: 'CA',
    chf: 'CH LI',
    clp: 'CL',
    cop: 'CO',
    crc: 'CR',
    czk: 'CZ',
    dkk: 'DK',
    dop: 'DO',
    dzd: 'DZ',
    egp: 'EG',
    etb: 'ET',
    gbp: 'GB GI',
    ghs: 'GH',
    gmd: 'GM',
    gtq: 'GT',
    gyd: 'GY',
    hkd: 'HK',
    huf: 'HU',
    idr: 'ID',
    ils: 'IL',
    inr: 'IN',
    isk: 'IS',
    jmd: 'JM',
    jod: 'JO',
    jpy: 'JP',
    kes: 'KE',
    khr: 'KH',
    krw: 'KR',
    kwd: 'KW',
    lkr: 'LK',
    mad: 'MA MC',
    mdl: 'MD',
    mga: 'MG',
    mkd: 'MK',
    mnt: 'MN',
    mop: 'MO',
    mur: 'MU',
    mxn: 'MX',
    myr: 'MY',
    nad: 'NA',
    ngn: 'NG',
    nok: 'NO',
    nzd: 'NZ',
    omr: 'OM',
    pen: 'PE',
    php: 'PH',
    pkr: 'PK',
    pln: 'PL',
    pyg: 'PY',
    qar: 'QA',
    ron: 'RO',
    rsd: 'RS',
    rwf: 'RW',
    sar: 'SA',
    sek: 'SE',
    sgd: 'SG',
    thb: 'TH',
    tnd: 'TN',
    try: 'TR',
    ttd: 'TT',
    twd: 'TW',
    tzs: 'TZ',
    uyu: 'UY',
    uzs: 'UZ',
    vnd: 'VN',
    xcd: 'AG LC',
    xof: 'BJ CI NE SN',
    zar: 'ZA',
  }).flatMap(([currency, countries]) => countries.split(' ').map((country) => [country, currency] as const)),
)

/** Those of payments, https://docs.stripe.com/currencies: the account's own first. */
export const CURRENCIES =
  'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usdc uyu uzs vnd vuv wst xaf xcd xcg xof xpf yer zar zmw'.split(
    ' ',
  )

/** The currency of a request, in small letters. Refuses one that Stripe does not have. */
export function currencyOf(stripe: Stripe): { currency?: string } {
  const { currency } = stripe.body
  if (!isGiven(currency)) return {}
  const folded = textOf(currency).toLowerCase()
  if (!CURRENCIES.includes(folded))
    stripe.refuse(`Invalid currency: ${folded}. Stripe currently supports these currencies: ${CURRENCIES.join(', ')}`, {
      param: 'currency',
    })
  return { currency: folded }
}

export const isCountry = (code: unknown): boolean => COUNTRIES.has(textOf(code))

export const currencyOfCountry = (code: unknown): string => COUNTRIES.get(textOf(code)) ?? 'usd'

function specOf(id: string): JsonObject {
  const own = currencyOfCountry(id)
  const fields = {
    additional: [],
    minimum: [
      'business_profile.mcc',
      'business_profile.url',
      'business_type',
      'external_account',
      'tos_acceptance.date',
      'tos_acceptance.ip',
    ],
  }
  return {
    id,
    object: 'country_spec',
    default_currency: own,
    supported_bank_account_currencies: { [own]: [id] },
    supported_payment_currencies: [own, ...CURRENCIES.filter((currency) => currency !== own)],
    supported_payment_methods: id === 'US' ? ['ach', 'card', 'stripe'] : ['card', 'stripe'],
    supported_transfer_countries: [...COUNTRIES.keys()].sort(),
    verification_fields: { company: fields, individual: fields },
  }
}

/** What Stripe demands in each country. */
export const countries = {
  'GET /v1/country_specs': (context: Context) =>
    toPage(context, '/v1/country_specs', [...COUNTRIES.keys()].sort().map(specOf)),
  'GET /v1/country_specs/{country}': ({ path, refuse }: Context) =>
    isCountry(path.country)
      ? specOf(textOf(path.country))
      : refuse(404, {
          code: 'bad_param',
          message: `No such countryspec: '${path.country}'`,
          reason: 'resource_missing',
          param: 'country',
        } as never),
}
