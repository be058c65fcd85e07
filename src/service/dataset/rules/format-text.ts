import { fraction, pickBy } from '../../../runtime/random.ts'
import { type FieldFacts, formatMaker } from '../../../schema/formats.ts'
import { type Cell, drawAt } from '../cell.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
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
  const facts = new CellFacts(site)
  return make && ((cell) => make(facts, cell))
}

/** The facts about a field. Their readers are made on demand. */
class CellFacts implements FieldFacts<Cell> {
  readonly #site: Site
  #subject: ((cell: Cell) => number) | undefined
  #moment: ((cell: Cell) => number) | undefined
  #url: ((cell: Cell) => string) | undefined
  #uuids: KeyCodec | undefined

  constructor(site: Site) {
    this.#site = site
  }

  draw(cell: Cell): number {
    return drawAt(cell, this.#site.key)
  }

  moment(cell: Cell): number {
    this.#moment ??= momentReader(this.#site)
    return this.#moment(cell)
  }

  uuid(cell: Cell): string {
    this.#uuids ??= createTemplateCodec(UUID_TEMPLATE, this.#site.key)
    return String(this.#uuids.at(this.draw(cell)))
  }

  email(cell: Cell): string {
    return emailAddress(this.#subjectOf(cell))
  }

  url(cell: Cell): string {
    this.#url ??= makeUrl(this.#site)
    return this.#url(cell)
  }

  domain(cell: Cell): string {
    return companyDomain(this.#subjectOf(cell))
  }

  phone(cell: Cell): string {
    return phoneNumber(this.#subjectOf(cell))
  }

  price(cell: Cell): string {
    return priceAt(this.draw(cell), 2).toFixed(2)
  }

  colour(cell: Cell): string {
    return pickBy(COLOURS, this.draw(cell))[1]
  }

  countryCode({ subject }: Cell): string {
    return cityOf(subject).country.code
  }

  currencyCode(cell: Cell): string {
    return currencyFor(this.#site, cell)
  }

  #subjectOf(cell: Cell): number {
    this.#subject ??= subjectFor(this.#site)
    return this.#subject(cell)
  }
}

/** A usual price: in whole minor units, or with `decimals`. */
export function priceAt(draw: number, decimals: number): number {
  const share = fraction(draw)
  const major = 4 + Math.floor(share * share * 240)
  const minor = [0, 0, 50, 90, 95, 99][subjectFrom(draw) % 6] as number
  return decimals === 0 ? major * 100 + minor : (major * 100 + minor) / 100
}
