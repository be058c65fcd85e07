import { once } from '../../../runtime/once.ts'
import { fraction, pickBy } from '../../../runtime/random.ts'
import { type FieldFacts, formatMaker } from '../../../schema/formats.ts'
import { type Cell, drawAt } from '../cell.ts'
import { createTemplateCodec, UUID_TEMPLATE } from '../keys/template-codec.ts'
import { momentReader } from '../moment.ts'
import type { Site } from '../site.ts'
import { COLOURS } from '../words/general.ts'
import { companyDomain, emailAddress, subjectFor, subjectFrom } from '../words/person.ts'
import { cityOf, currencyFor, phoneNumber } from '../words/place.ts'
import { makeUrl } from '../words/url.ts'

/** Texts of `format`; undefined for formats without a generator. */
export function formatText(site: Site, format = site.schema.format ?? ''): ((cell: Cell) => string) | undefined {
  const make = formatMaker(format)
  const facts = factsOf(site)
  return make && ((cell) => make(facts, cell))
}

/** The facts about a field. Their readers are made on demand. */
function factsOf(site: Site): FieldFacts<Cell> {
  const { key } = site
  const subjectOf = once(() => subjectFor(site))
  const moment = once(() => momentReader(site))
  const url = once(() => makeUrl(site))
  const uuids = once(() => createTemplateCodec(UUID_TEMPLATE, key))
  return {
    draw: (cell) => drawAt(cell, key),
    moment: (cell) => moment()(cell),
    uuid: (cell) => String(uuids().at(drawAt(cell, key))),
    email: (cell) => emailAddress(subjectOf()(cell)),
    url: (cell) => url()(cell),
    domain: (cell) => companyDomain(subjectOf()(cell)),
    phone: (cell) => phoneNumber(subjectOf()(cell)),
    price: (cell) => priceAt(drawAt(cell, key), 2).toFixed(2),
    colour: (cell) => pickBy(COLOURS, drawAt(cell, key))[1],
    countryCode: ({ subject }) => cityOf(subject).country.code,
    currencyCode: (cell) => currencyFor(site, cell),
  }
}

/** A usual price: in whole minor units, or with `decimals`. */
export function priceAt(draw: number, decimals: number): number {
  const share = fraction(draw)
  const major = 4 + Math.floor(share * share * 240)
  const minor = [0, 0, 50, 90, 95, 99][subjectFrom(draw) % 6] as number
  return decimals === 0 ? major * 100 + minor : (major * 100 + minor) / 100
}
