import { pickBy } from '../../../runtime/random.ts'
import { checkText } from '../../../schema/check-scalar.ts'
import type { Site } from '../site.ts'
import { LANGUAGES, PROGRAMMING_LANGUAGES, REGIONS } from '../words/general.ts'
import { kindOf } from '../words/person.ts'
import {
  addressLine,
  type City,
  cityOf,
  currencyFor,
  houseNumber,
  latitudeOf,
  longitudeOf,
  postalCode,
  streetAddress,
  streetName,
  unitOf,
} from '../words/place.ts'
import { fromDraw, of, oneOf, type Rules, type TextMaker } from './rule.ts'
import { statusOf } from './technical.ts'

/** Addresses and facts about the place: all fields of one object are about the same city. */
export const PLACE_RULES: Rules = [
  ['street_number house_number building_number', of((subject) => String(houseNumber(subject)))],
  ['street_name route', of(streetName)],
  [
    'street line1 line_1 address1 address_1 address_line1 address_line_1 street1 street_address street_line_1 thoroughfare primary_line addressline1 street_line1',
    of(streetAddress),
  ],
  [
    'line2 line_2 address2 address_2 address_line2 address_line_2 street2 secondary_line suite apartment unit_number line3 addressline2 street_line2',
    of(unitOf),
  ],
  [
    'address formatted_address full_address postal_address mailing_address destination_address origin_address pickup dropoff',
    (site) => (site.siblings.has('city') ? of(streetAddress)(site) : of(addressLine)(site)),
  ],
  ['location', (site) => (kindOf(site.owner) === 'person' ? of(cityAndCountry)(site) : of(addressLine)(site))],
  ['city town locality city_name municipality admin_area_2 address_city hometown', ofCity(({ name }) => name)],
  [
    'admin_area_3 admin_area_4 district neighborhood neighbourhood suburb sub_locality borough quarter',
    oneOf('Old Town', 'Northgate', 'Riverside', 'Harbour Side'),
  ],
  ['building_name building', oneOf('Harbour House', 'The Mill', 'Station Court')],
  ['zip zip_code zipcode postal_code postalcode post_code postcode address_zip', of(postalCode)],
  ['country_name', ofCity(({ country }) => country.name)],
  ['country_iso3 alpha_3 alpha3 country_code3 iso3 country_alpha3', ofCity(({ country }) => country.alpha3)],
  [
    'country country_code countries country_iso iso alpha_2 alpha2 nationality citizenship country_of_origin issuing_country',
    countryOf,
  ],
  [
    'state_code province_code region_code subdivision_code state_abbr state_iso',
    ofCity(({ regionCode }) => regionCode),
  ],
  [
    'province county state_province admin_area_1 state_name region_name state_or_province territory',
    ofCity(({ region }) => region),
  ],
  ['state address_state', stateOf],
  ['region data_center datacenter availability_zone aws_region cloud_region zone', regionOf],
  ['time_zone timezone tz tz_name time_zone_name', ofCity(({ timeZone }) => timeZone)],
  ['continent', oneOf('Europe', 'Asia', 'North America', 'Africa', 'South America', 'Oceania')],
  ['place_of_birth birthplace birth_place', ofCity(({ name }) => name)],
  ['lat latitude', of((subject) => String(latitudeOf(subject)))],
  ['lng lon long longitude', of((subject) => String(longitudeOf(subject)))],
  ['currency currency_code currencies currency_iso default_currency', (site) => (cell) => currencyFor(site, cell)],
  ['locale locales language_tag lang_tag preferred_locale culture', ofCity(({ country }) => country.locale)],
  ['language languages lang language_code', languageOf],
]

/** A fact about the place of a field. */
function ofCity(read: (city: City) => string): (site: Site) => TextMaker {
  return of((subject) => read(cityOf(subject)))
}

function cityAndCountry(subject: number): string {
  const { name, country } = cityOf(subject)
  return `${name}, ${country.name}`
}

function countryOf(site: Site): TextMaker {
  const example = typeof site.schema.example === 'string' ? site.schema.example : ''
  const isName =
    example.length > 3 || (example === '' && site.snake.endsWith('country') && site.siblings.has('country_code'))
  if (isName) return ofCity(({ country }) => country.name)(site)
  if (example.length === 3 || site.schema.minLength === 3) return ofCity(({ country }) => country.alpha3)(site)
  return ofCity(({ country }) => country.code)(site)
}

const ADDRESS_FIELDS = 'city zip postal_code country country_code line1 street zip_code address_line1'.split(' ')

/** The state of an address, else the status of a thing. */
function stateOf(site: Site): TextMaker {
  const isPlace =
    /address|location|place|venue|geo/.test(`${site.owner} ${site.snake}`) ||
    ADDRESS_FIELDS.some((name) => site.siblings.has(name))
  if (!isPlace) return statusOf(site)
  const { schema } = site
  const isShort = schema.maxLength === 2 || String(schema.example ?? '').length === 2
  const check = checkText(schema, 'strict')
  return of((subject) => {
    const { region, regionCode } = cityOf(subject)
    return isShort || check?.(region) !== undefined ? regionCode : region
  })(site)
}

function regionOf(site: Site): TextMaker {
  const isPlace = site.siblings.has('city') || site.siblings.has('country')
  return isPlace ? ofCity(({ region }) => region)(site) : oneOf(...REGIONS)(site)
}

function languageOf(site: Site): TextMaker {
  if (/repo|project|snippet|code|file/.test(site.owner)) return oneOf(...PROGRAMMING_LANGUAGES)(site)
  const spelling = String(site.schema.example ?? 'en').length > 3 ? 1 : 0
  return fromDraw((draw) => pickBy(LANGUAGES, draw)[spelling])(site)
}
