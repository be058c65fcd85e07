import { pickBy } from '../../runtime/random.ts'
import { type FormatSource, formatMaker } from '../../schema/formats.ts'
import { type Cell, drawAt } from './cell.ts'
import type { KeyCodec } from './key-codec.ts'
import { priceAt } from './make-number.ts'
import { momentReader } from './moment.ts'
import { companyDomain, emailAddress, subjectFor } from './person.ts'
import { cityOf, phoneNumber } from './place.ts'
import type { Site } from './site.ts'
import { createTemplateCodec, UUID_TEMPLATE } from './template-codec.ts'
import { makeUrl } from './url.ts'
import { COLOURS } from './words/general.ts'

/** Texts of `format`; undefined for formats that say nothing of the text. */
export function formatText(site: Site, format = site.schema.format ?? ''): ((cell: Cell) => string) | undefined {
  const make = formatMaker(format)
  const field = new Field(site)
  return make && ((cell) => make(new CellSource(field, cell)))
}

/** What the facts about a field are read with, each made when it is first needed. */
class Field {
  readonly #site: Site
  #subject: ((cell: Cell) => number) | undefined
  #moment: ((cell: Cell) => number) | undefined
  #url: ((cell: Cell) => string) | undefined
  #uuids: KeyCodec | undefined

  constructor(site: Site) {
    this.#site = site
  }

  drawOf(cell: Cell): number {
    return drawAt(cell, this.#site.key)
  }

  subjectOf(cell: Cell): number {
    this.#subject ??= subjectFor(this.#site)
    return this.#subject(cell)
  }

  momentOf(cell: Cell): number {
    this.#moment ??= momentReader(this.#site)
    return this.#moment(cell)
  }

  urlOf(cell: Cell): string {
    this.#url ??= makeUrl(this.#site)
    return this.#url(cell)
  }

  uuidOf(cell: Cell): string {
    this.#uuids ??= createTemplateCodec(UUID_TEMPLATE, this.#site.key)
    return String(this.#uuids.at(this.drawOf(cell)))
  }
}

/** The facts about a field of one record. */
class CellSource implements FormatSource {
  readonly #field: Field
  readonly #cell: Cell

  constructor(field: Field, cell: Cell) {
    this.#field = field
    this.#cell = cell
  }

  get draw(): number {
    return this.#field.drawOf(this.#cell)
  }

  get moment(): number {
    return this.#field.momentOf(this.#cell)
  }

  get uuid(): string {
    return this.#field.uuidOf(this.#cell)
  }

  get email(): string {
    return emailAddress(this.#field.subjectOf(this.#cell))
  }

  get url(): string {
    return this.#field.urlOf(this.#cell)
  }

  get domain(): string {
    return companyDomain(this.#field.subjectOf(this.#cell))
  }

  get phone(): string {
    return phoneNumber(this.#field.subjectOf(this.#cell))
  }

  get price(): string {
    return priceAt(this.draw, 2).toFixed(2)
  }

  get colour(): string {
    return pickBy(COLOURS, this.draw)[1]
  }

  get countryCode(): string {
    return cityOf(this.#cell.subject).country.code
  }

  get currencyCode(): string {
    return cityOf(this.#cell.subject).country.currency
  }
}
