import { once } from '../../../runtime/once.ts'
import { fraction, mixPair, pickBy } from '../../../runtime/random.ts'
import type { Cell } from '../cell.ts'
import type { Site } from '../site.ts'

/** Country: code, name, alpha-3, currency, locale, calling code, national number ('#' is a digit). */
const COUNTRY_ROWS = `US|United States|USA|USD|en-US|1|415555####
GB|United Kingdom|GBR|GBP|en-GB|44|207946####
DE|Germany|DEU|EUR|de-DE|49|30901820##
FR|France|FRA|EUR|fr-FR|33|19900####
ES|Spain|ESP|EUR|es-ES|34|91455####
IT|Italy|ITA|EUR|it-IT|39|065550####
NL|Netherlands|NLD|EUR|nl-NL|31|20794####
SE|Sweden|SWE|SEK|sv-SE|46|84650####
NO|Norway|NOR|NOK|nb-NO|47|2155####
DK|Denmark|DNK|DKK|da-DK|45|3255####
FI|Finland|FIN|EUR|fi-FI|358|95550####
PL|Poland|POL|PLN|pl-PL|48|22555####
PT|Portugal|PRT|EUR|pt-PT|351|21555####
IE|Ireland|IRL|EUR|en-IE|353|1555####
CH|Switzerland|CHE|CHF|de-CH|41|44555####
AT|Austria|AUT|EUR|de-AT|43|1555####
BE|Belgium|BEL|EUR|nl-BE|32|2555####
CA|Canada|CAN|CAD|en-CA|1|416555####
AU|Australia|AUS|AUD|en-AU|61|25550####
NZ|New Zealand|NZL|NZD|en-NZ|64|9555####
JP|Japan|JPN|JPY|ja-JP|81|35550####
KR|South Korea|KOR|KRW|ko-KR|82|2555####
SG|Singapore|SGP|SGD|en-SG|65|6555####
IN|India|IND|INR|en-IN|91|80555#####
BR|Brazil|BRA|BRL|pt-BR|55|115550####
MX|Mexico|MEX|MXN|es-MX|52|555550####
ZA|South Africa|ZAF|ZAR|en-ZA|27|21555####
KE|Kenya|KEN|KES|en-KE|254|20555####
NG|Nigeria|NGA|NGN|en-NG|234|1555####
AE|United Arab Emirates|ARE|AED|ar-AE|971|4555####`

/** City: name, country, region, region code, postal code ('#' digit, 'A' letter), time zone, latitude, longitude. */
const CITY_ROWS = `San Francisco|US|California|CA|941##|America/Los_Angeles|37.7749|-122.4194
Portland|US|Oregon|OR|972##|America/Los_Angeles|45.5152|-122.6784
Seattle|US|Washington|WA|981##|America/Los_Angeles|47.6062|-122.3321
Denver|US|Colorado|CO|802##|America/Denver|39.7392|-104.9903
Austin|US|Texas|TX|787##|America/Chicago|30.2672|-97.7431
Chicago|US|Illinois|IL|606##|America/Chicago|41.8781|-87.6298
New York|US|New York|NY|100##|America/New_York|40.7128|-74.006
Boston|US|Massachusetts|MA|021##|America/New_York|42.3601|-71.0589
Atlanta|US|Georgia|GA|303##|America/New_York|33.749|-84.388
London|GB|England|ENG|EC1A #AA|Europe/London|51.5074|-0.1278
Manchester|GB|England|ENG|M1 #AA|Europe/London|53.4808|-2.2426
Edinburgh|GB|Scotland|SCT|EH1 #AA|Europe/London|55.9533|-3.1883
Berlin|DE|Berlin|BE|101##|Europe/Berlin|52.52|13.405
Hamburg|DE|Hamburg|HH|203##|Europe/Berlin|53.5511|9.9937
Munich|DE|Bavaria|BY|803##|Europe/Berlin|48.1351|11.582
Paris|FR|Ile-de-France|IDF|750##|Europe/Paris|48.8566|2.3522
Lyon|FR|Auvergne-Rhone-Alpes|ARA|690##|Europe/Paris|45.764|4.8357
Madrid|ES|Community of Madrid|MD|280##|Europe/Madrid|40.4168|-3.7038
Barcelona|ES|Catalonia|CT|080##|Europe/Madrid|41.3874|2.1686
Milan|IT|Lombardy|MI|201##|Europe/Rome|45.4642|9.19
Turin|IT|Piedmont|TO|101##|Europe/Rome|45.0703|7.6869
Amsterdam|NL|North Holland|NH|10## AA|Europe/Amsterdam|52.3676|4.9041
Utrecht|NL|Utrecht|UT|35## AA|Europe/Amsterdam|52.0907|5.1214
Stockholm|SE|Stockholm County|AB|111 ##|Europe/Stockholm|59.3293|18.0686
Gothenburg|SE|Vastra Gotaland|O|411 ##|Europe/Stockholm|57.7089|11.9746
Oslo|NO|Oslo|03|01##|Europe/Oslo|59.9139|10.7522
Copenhagen|DK|Capital Region|84|21##|Europe/Copenhagen|55.6761|12.5683
Helsinki|FI|Uusimaa|18|001##|Europe/Helsinki|60.1699|24.9384
Warsaw|PL|Masovia|MZ|00-###|Europe/Warsaw|52.2297|21.0122
Krakow|PL|Lesser Poland|MA|30-###|Europe/Warsaw|50.0647|19.945
Lisbon|PT|Lisbon|11|1100-###|Europe/Lisbon|38.7223|-9.1393
Dublin|IE|Leinster|L|D02 A###|Europe/Dublin|53.3498|-6.2603
Zurich|CH|Zurich|ZH|80##|Europe/Zurich|47.3769|8.5417
Vienna|AT|Vienna|9|10##|Europe/Vienna|48.2082|16.3738
Brussels|BE|Brussels-Capital|BRU|10##|Europe/Brussels|50.8503|4.3517
Toronto|CA|Ontario|ON|M5V #A#|America/Toronto|43.6532|-79.3832
Vancouver|CA|British Columbia|BC|V6B #A#|America/Vancouver|49.2827|-123.1207
Montreal|CA|Quebec|QC|H2X #A#|America/Toronto|45.5017|-73.5673
Sydney|AU|New South Wales|NSW|20##|Australia/Sydney|-33.8688|151.2093
Melbourne|AU|Victoria|VIC|30##|Australia/Melbourne|-37.8136|144.9631
Auckland|NZ|Auckland|AUK|10##|Pacific/Auckland|-36.8509|174.7645
Tokyo|JP|Tokyo|13|100-00##|Asia/Tokyo|35.6762|139.6503
Osaka|JP|Osaka|27|530-00##|Asia/Tokyo|34.6937|135.5023
Seoul|KR|Seoul|11|045##|Asia/Seoul|37.5665|126.978
Singapore|SG|Singapore|01|0189##|Asia/Singapore|1.3521|103.8198
Bengaluru|IN|Karnataka|KA|5600##|Asia/Kolkata|12.9716|77.5946
Pune|IN|Maharashtra|MH|4110##|Asia/Kolkata|18.5204|73.8567
Sao Paulo|BR|Sao Paulo|SP|010##-###|America/Sao_Paulo|-23.5505|-46.6333
Mexico City|MX|Mexico City|CMX|060##|America/Mexico_City|19.4326|-99.1332
Cape Town|ZA|Western Cape|WC|80##|Africa/Johannesburg|-33.9249|18.4241
Nairobi|KE|Nairobi|30|001##|Africa/Nairobi|-1.2921|36.8219
Lagos|NG|Lagos|LA|1012##|Africa/Lagos|6.5244|3.3792
Dubai|AE|Dubai|DU|000##|Asia/Dubai|25.2048|55.2708`

/** A country as addresses need it. */
interface Country {
  readonly code: string
  readonly name: string
  readonly alpha3: string
  readonly currency: string
  readonly locale: string
  readonly callingCode: string
  readonly phone: string
}

/** A city and its country. */
export interface City {
  readonly name: string
  readonly country: Country
  readonly region: string
  readonly regionCode: string
  readonly postal: string
  readonly timeZone: string
  readonly latitude: number
  readonly longitude: number
}

/** Reads rows of texts between bars. */
function readRows<Name extends string>(rows: string, ...names: readonly Name[]): Record<Name, string>[] {
  return rows.split('\n').map((row) => {
    const texts = row.split('|')
    return Object.fromEntries(names.map((name, at) => [name, texts[at] as string])) as Record<Name, string>
  })
}

/** Read when the first record has a place. */
export const cities = once((): readonly City[] => {
  const countries = readRows(COUNTRY_ROWS, 'code', 'name', 'alpha3', 'currency', 'locale', 'callingCode', 'phone')
  const byCode = new Map<string, Country>(countries.map((country) => [country.code, country]))
  const fields = ['name', 'country', 'region', 'regionCode', 'postal', 'timeZone', 'latitude', 'longitude'] as const
  return readRows(CITY_ROWS, ...fields).map((city) => ({
    ...city,
    country: byCode.get(city.country) as Country,
    latitude: Number(city.latitude),
    longitude: Number(city.longitude),
  }))
})

const STREETS: readonly string[] =
  `Alder Ash Bay Beech Birch Bridge Canal Castle Cedar Chapel Cherry Church Clay Elm Factory Garden Grove Harbour High Hill King
Lake Laurel Lime Maple Market Meadow Mill North Oak Orchard Park Pine Poplar Quay Queen River Rose School South Spring Station Stone
Union Victoria Walnut Water West Willow Wood`.split(/\s+/)

const STREET_KINDS: readonly string[] = ['Street', 'Road', 'Avenue', 'Lane', 'Way', 'Street', 'Road', 'Square']

/** The city of a subject; all parts of its address match it. */
export function cityOf(subject: number): City {
  return pickBy(cities(), mixPair(subject, 0x6369))
}

/** One currency for all amounts of a record; another one for what it is exchanged into. */
export function currencyFor({ snake, key }: Site, { frame }: Cell): string {
  const isOther = /^(?:to|target|quote|counter|buy|foreign|destination)_/.test(snake)
  return cityOf(isOther ? mixPair(frame.subject, key) : frame.subject).country.currency
}

/** `14 Orchard Road`. */
export function streetAddress(subject: number): string {
  return `${houseNumber(subject)} ${streetName(subject)}`
}

export function streetName(subject: number): string {
  return `${pickBy(STREETS, mixPair(subject, 0x7374))} ${pickBy(STREET_KINDS, mixPair(subject, 0x736b))}`
}

export function houseNumber(subject: number): number {
  return 1 + (mixPair(subject, 0x686e) % 189)
}

/** `Suite 12`, `Floor 3` or `Apt 4`. */
export function unitOf(subject: number): string {
  const draw = mixPair(subject, 0x756e)
  return `${pickBy(['Suite', 'Floor', 'Apt', 'Unit'], draw)} ${1 + (draw % 24)}`
}

export function postalCode(subject: number): string {
  return fillDigits(cityOf(subject).postal, mixPair(subject, 0x706f))
}

/** `+49 30 ...` as E.164: `+49309018200`. */
export function phoneNumber(subject: number): string {
  const { callingCode, phone } = cityOf(subject).country
  return `+${callingCode}${fillDigits(phone, mixPair(subject, 0x7068))}`
}

export function latitudeOf(subject: number): number {
  return scatter(cityOf(subject).latitude, mixPair(subject, 0x6c61))
}

export function longitudeOf(subject: number): number {
  return scatter(cityOf(subject).longitude, mixPair(subject, 0x6c6f))
}

export function addressLine(subject: number): string {
  const { name, country } = cityOf(subject)
  return `${streetAddress(subject)}, ${postalCode(subject)} ${name}, ${country.name}`
}

function scatter(degrees: number, draw: number): number {
  return Math.round((degrees + (fraction(draw) - 0.5) * 0.08) * 10_000) / 10_000
}

/** `layout` with a digit for each '#', and a letter for each 'A' after a digit or a space. */
function fillDigits(layout: string, draw: number): string {
  let place = 0
  return layout.replace(/#|A(?=[A#]|$)/g, (mark) => {
    const bits = mixPair(draw, place++)
    return mark === '#' ? String(bits % 10) : 'ABCDEFGHJKLMNPRSTUVWXY'.charAt(bits % 22)
  })
}
