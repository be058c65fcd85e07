import { nounBeforeId } from '../../../names/id-names.ts'
import { capitalised, slugOf, snakeCase } from '../../../names/words.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { fraction } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker } from '../cell.ts'
import { HOUR_MS, partnerOf } from '../moment.ts'
import type { Site } from '../site.ts'
import { MEDIA_TYPES } from '../words/general.ts'
import { isMoneyName } from './make-number.ts'

type Read = (sibling: string, cell: Cell) => Json | undefined

const LINES = /(?:^|_)(?:line_?items|lines|items|order_items|invoice_lines|products|positions|entries|order_lines)$/
const LINE_AMOUNT =
  /^(?:amount|total|line_total|line_amount|subtotal|total_price|total_amount|extended_amount|price_total|net_amount)$/
const UNIT_PRICE = /^(?:unit_price|unit_amount|price|unit_cost|price_per_unit|rate|unit_price_amount|item_price)$/
const SUBTOTAL =
  /^(?:subtotal|sub_total|items_total|subtotal_amount|amount_subtotal|item_total|net_amount|net_total|total_net|total_excluding_tax)$/
const TOTAL =
  /^(?:total|total_amount|amount_total|grand_total|order_total|invoice_total|total_price|amount|total_including_tax|gross_total)$/
const TAX = /^(?:tax|tax_amount|total_tax|amount_tax|tax_total|vat|vat_amount)$/
const SHIPPING =
  /^(?:shipping|shipping_cost|shipping_amount|shipping_total|total_shipping|delivery_fee|shipping_price|amount_shipping|ship_total)$/
const REDUCTION =
  /^(?:discount|discount_amount|total_discount|amount_discount|discount_total|total_discounts|promo_total)$/

/**
 * Amounts computed from other fields of the object: a line's amount from quantity and price, a subtotal from the lines,
 * a total from subtotal, tax, shipping and discount, the amount due from the amount paid. Undefined for other fields.
 */
export function findSum(whole: Site, owner: Schema, read: Read): Maker | undefined {
  const site = withoutUnit(whole)
  const { schema, snake } = site
  const type = schema.types[0]
  if (type !== 'integer' && type !== 'number' && type !== 'string') return undefined
  if (type === 'string' && !isMoneyName(snake)) return undefined
  if (schema.enum || schema.format === 'date-time' || schema.format === 'date') return undefined
  const sum =
    countOf(site, owner, read) ??
    minorUnits(whole, owner, read) ??
    lineAmount(site, read) ??
    (SUBTOTAL.test(snake) ? sumOfLines(site.siblings, owner, read) : undefined) ??
    total(site, owner, read) ??
    totalOf(site, owner, read) ??
    taxOf(site, read) ??
    partOf(site, read) ??
    remaining(site, owner, read)
  if (!sum) return undefined
  return (cell) => {
    const value = sum(cell)
    const shaped: Json =
      type === 'string' ? value.toFixed(2) : type === 'integer' ? Math.round(value) : Math.round(value * 100) / 100
    return fits(schema, shaped) ? shaped : undefined
  }
}

type Sum = (cell: Cell) => number

const UNIT = /_(?:in_)?(?:cents|minor_units?)$/
const plainName = (name: string): string => snakeCase(name).replace(UNIT, '')

/** `total_cents` is the total of lines with a `unit_price_cents`, less `discount_cents`. */
function withoutUnit(site: Site): Site {
  if (!UNIT.test(site.snake)) return site
  const amounts = [...site.siblings].filter(([name]) => UNIT.test(name))
  const siblings = new Map([...site.siblings, ...amounts.map(([name, written]) => [plainName(name), written] as const)])
  return { ...site, snake: plainName(site.snake), siblings }
}

/** `comments_count` in an object with `comments`. */
function countOf({ snake, siblings, schema }: Site, owner: Schema, read: Read): Sum | undefined {
  const counted = /^(?:(.+)_count|num_(.+)|number_of_(.+)|total_(.+)_count)$/.exec(snake)
  if (schema.types[0] !== 'integer' || !counted) return undefined
  const stem = counted[1] ?? counted[2] ?? counted[3] ?? counted[4] ?? ''
  const list = siblings.get(stem) ?? siblings.get(`${stem}s`)
  if (list === undefined || owner.properties.get(list)?.types[0] !== 'array') return undefined
  return (cell) => {
    const items = read(list, cell)
    return Array.isArray(items) ? items.length : 0
  }
}

/** `valueInBaseUnits` in an object with `value`: the same amount in the smallest unit. */
function minorUnits({ snake, siblings, schema }: Site, owner: Schema, read: Read): Sum | undefined {
  if (schema.types[0] === 'string' || !/base_units$|minor_units?$|in_cents$|_cents$/.test(snake)) return undefined
  const major =
    siblings.get('value') ??
    siblings.get('amount') ??
    siblings.get(snake.replace(/_(?:in_)?(?:cents|minor_units?|base_units)$/, ''))
  // `minor_unit` of a currency is a number of digits, not an amount.
  if (major === undefined || major === siblings.get(snake) || !isAmount(owner, major)) return undefined
  return (cell) => toNumber(read(major, cell)) * 100
}

/** A flag `paid` is no amount. */
const isAmount = (owner: Schema, name: string): boolean => owner.properties.get(name)?.types[0] !== 'boolean'

function lineAmount({ snake, siblings }: Site, read: Read): Sum | undefined {
  if (!LINE_AMOUNT.test(snake)) return undefined
  const quantity = siblings.get('quantity') ?? siblings.get('qty')
  const price = [...siblings].find(([name]) => name !== snake && UNIT_PRICE.test(name))?.[1]
  if (quantity === undefined || price === undefined) return undefined
  return (cell) => toNumber(read(quantity, cell)) * toNumber(read(price, cell))
}

function total(site: Site, owner: Schema, read: Read): Sum | undefined {
  const { snake, siblings } = site
  if (!TOTAL.test(snake)) return undefined
  const base = likeName(siblings, SUBTOTAL)
  const lines = sumOfLines(siblings, owner, read)
  if (!lines && (base === undefined || snake === 'amount')) return undefined
  const more = [likeName(siblings, TAX), likeName(siblings, SHIPPING)].filter((name) => name !== undefined)
  const less = likeName(siblings, REDUCTION)
  return (cell) => {
    let sum = base !== undefined ? toNumber(read(base, cell)) : (lines?.(cell) ?? 0)
    for (const name of more) sum += toNumber(read(name, cell))
    return less === undefined ? sum : sum - Math.abs(toNumber(read(less, cell)))
  }
}

/** `total_quantity` beside `items` with a `quantity`, `totalWeight` beside lines with a `weight`: the sum of theirs. */
function totalOf({ snake, siblings }: Site, owner: Schema, read: Read): Sum | undefined {
  const own = /^total_(.+)$/.exec(snake)?.[1]
  if (own === undefined || LINE_AMOUNT.test(own)) return undefined
  for (const [list, written] of siblings) {
    if (!LINES.test(list)) continue
    const { properties } = owner.properties.get(written)?.items ?? {}
    const name = [...(properties ?? [])].find(
      ([field, { types }]) => snakeCase(field) === own && /number|integer/.test(types[0] ?? ''),
    )?.[0]
    if (name !== undefined) return (cell) => sumLines(read(written, cell), name, undefined, undefined)
  }
  return undefined
}

/** Tax and discount as a share of the subtotal in the same object. */
function taxOf({ snake, siblings, key, schema }: Site, read: Read): Sum | undefined {
  const isTax = TAX.test(snake)
  if (!isTax && (!REDUCTION.test(snake) || snake === 'promo_total')) return undefined
  const base = likeName(siblings, SUBTOTAL)
  if (base === undefined) return undefined
  const whole = schema.types[0] === 'integer'
  return (cell) => {
    const share = isTax ? 0.19 : cell.frame.isNew || fraction(drawAt(cell, key)) < 0.7 ? 0 : 0.1
    const value = toNumber(read(base, cell)) * share
    return whole ? Math.round(value) : Math.round(value * 100) / 100
  }
}

const DUE = /^(?:amount_due|amount_remaining|balance_due|outstanding|remaining|due_amount|total_due|balance)$/

const PAID = /^(?:paid|amount_paid|paid_amount|total_paid)$/

const PART = /^(?:amount_(refunded|captured|received)|(refunded|captured|received)_amount|total_(refunded))$/

/** `amount_refunded` is all of a refunded amount, half of a partly refunded one, and else nothing. */
function partOf({ snake, siblings }: Site, read: Read): Sum | undefined {
  const [, one, two, three] = PART.exec(snake) ?? []
  const word = one ?? two ?? three
  const whole = word === undefined ? undefined : likeName(siblings, TOTAL)
  const status = siblings.get('status') ?? siblings.get('state')
  if (whole === undefined) return undefined
  const reached = word === 'refunded' ? /refund/ : /captur|succe|paid|complet|settl|receiv|refund/
  return (cell) => {
    const now = status === undefined ? '' : snakeCase(String(read(status, cell)))
    if (!reached.test(now) || /unpaid|not_/.test(now)) return 0
    const amount = toNumber(read(whole, cell))
    return /partial/.test(now) ? Math.floor(amount / 2) : amount
  }
}

/** `amount_due` is the total minus `amount_paid`. */
function remaining({ snake, siblings }: Site, owner: Schema, read: Read): Sum | undefined {
  const isPaid = PAID.test(snake)
  if (!isPaid && !DUE.test(snake)) return undefined
  const whole = [...siblings].find(([name]) => TOTAL.test(name) && name !== 'amount')?.[1]
  if (whole === undefined) return undefined
  const paid = [...siblings].find(([name, written]) => PAID.test(name) && isAmount(owner, written))?.[1]
  if (isPaid) {
    const status = siblings.get('status') ?? siblings.get('state')
    return (cell) =>
      status !== undefined &&
      /paid|complet|succe|closed|fulfilled/.test(String(read(status, cell))) &&
      !/unpaid/.test(String(read(status, cell)))
        ? toNumber(read(whole, cell))
        : 0
  }
  return (cell) => toNumber(read(whole, cell)) - (paid === undefined ? 0 : toNumber(read(paid, cell)))
}

function sumOfLines(siblings: ReadonlyMap<string, string>, owner: Schema, read: Read): Sum | undefined {
  for (const [name, written] of siblings) {
    const items = LINES.test(name) ? owner.properties.get(written)?.items : undefined
    if (!items) continue
    const lineNames = new Map([...items.properties.keys()].map((property) => [plainName(property), property]))
    const amount = likeName(lineNames, LINE_AMOUNT)
    const price = likeName(lineNames, UNIT_PRICE)
    const quantity = lineNames.get('quantity') ?? lineNames.get('qty')
    if (amount === undefined && price === undefined) continue
    return (cell) => sumLines(read(written, cell), amount, price, quantity)
  }
  return undefined
}

/** The written form of the first of `names` whose snake case has this form. */
function likeName(names: ReadonlyMap<string, string>, form: RegExp): string | undefined {
  for (const [name, written] of names) if (form.test(name)) return written
  return undefined
}

function sumLines(
  lines: Json | undefined,
  amount: string | undefined,
  price: string | undefined,
  quantity: string | undefined,
): number {
  if (!Array.isArray(lines)) return 0
  let sum = 0
  for (const line of lines) {
    if (!isJsonObject(line)) continue
    if (amount !== undefined) sum += toNumber(line[amount])
    else sum += toNumber(line[price as string]) * (quantity === undefined ? 1 : toNumber(line[quantity]))
  }
  return sum
}

function toNumber(value: Json | undefined): number {
  const number = Number(value ?? 0)
  return Number.isFinite(number) ? number : 0
}

const SAME = /^(?:display|display_name|meta_title|seo_title|page_title|og_title|formatted_name)$/
const FULL_NAME = /^full_name$/
const SLUG = /^(?:slug|handle|url_key|permalink)$/
const FILE_NAMES = ['file_name', 'filename', 'name', 'original_name']

/**
 * Values derived from another field of the object: the slug of a name, the label of a value, the media type of a file
 * name. Undefined for other fields; the maker gives undefined where the derived value does not fit.
 */
export function findCopy(site: Site, owner: Schema, read: Read): Maker | undefined {
  const copy =
    idOf(site, owner, read) ??
    labelOf(site, owner, read) ??
    mediaTypeOf(site, read) ??
    nameIn(site, read) ??
    endOf(site, read)
  if (!copy) return undefined
  return (cell) => {
    const value = copy(cell)
    return value !== undefined && fits(site.schema, value) ? value : undefined
  }
}

/** Whether a field is made of a first and a last name. */
const isFullName = ({ snake, siblings }: Site): boolean => FULL_NAME.test(snake) && namePartsOf(siblings) !== undefined

/** Whether an object has the value as soon as it has what the value is made of, even if its client did not send it. */
export const isDerived = (site: Site): boolean => isFullName(site) || durationOf(site) !== undefined

/** The written names of the first and the last name. */
const namePartsOf = (siblings: Site['siblings']): readonly string[] | undefined =>
  NAMES.map((names) => names.flatMap((name) => siblings.get(name) ?? [])).find((parts) => parts.length === 2)

const NAMES = [
  ['first_name', 'last_name'],
  ['given_name', 'family_name'],
]

/** The begin of a span, beside its duration. */
function durationOf(
  site: Site,
): { readonly begin: string; readonly duration: string; readonly unitMs: number } | undefined {
  const [, begin] = partnerOf(site, 'end') ?? []
  if (begin === undefined || site.schema.format !== 'date-time') return undefined
  for (const [name, duration] of site.siblings) {
    const unit = /^(?:duration|length)_(?:in_)?(sec|min|hour)(?:ond|ute)?s?$/.exec(name)?.[1]
    if (unit !== undefined)
      return { begin, duration, unitMs: unit === 'sec' ? 1_000 : unit === 'min' ? 60_000 : HOUR_MS }
  }
  return undefined
}

/** `ends_at` of what starts at `starts_at` and takes `duration_minutes`. */
function endOf(site: Site, read: Read): Maker | undefined {
  const span = durationOf(site)
  if (span === undefined) return undefined
  return (cell) => {
    const start = Date.parse(String(read(span.begin, cell)))
    const duration = read(span.duration, cell)
    return Number.isNaN(start) || typeof duration !== 'number' ? undefined : toIso(start + duration * span.unitMs)
  }
}

/** `seat_id` in an object with a `seat` that has an `id`. */
function idOf({ snake, siblings }: Site, owner: Schema, read: Read): Maker | undefined {
  const object = siblings.get(nounBeforeId(snake) ?? '')
  if (object === undefined || owner.properties.get(object)?.properties.has('id') !== true) return undefined
  return (cell) => {
    const value = read(object, cell)
    return isJsonObject(value) ? value.id : undefined
  }
}

/** `{ label: 'Planned', value: 'planned' }`: the label with the same index in its enum as the value. */
function labelOf({ snake, siblings, schema }: Site, owner: Schema, read: Read): Maker | undefined {
  const value = siblings.get('value')
  const labels = schema.enum
  const values = value === undefined ? undefined : owner.properties.get(value)?.enum
  if (snake !== 'label' || value === undefined || !labels || values?.length !== labels.length) return undefined
  return (cell) => labels[values.indexOf(read(value, cell) ?? null)]
}

function mediaTypeOf({ snake, siblings }: Site, read: Read): Maker | undefined {
  if (!/^(?:mime|mime_?type|content_type|media_type)$/.test(snake)) return undefined
  const name = FILE_NAMES.map((candidate) => siblings.get(candidate)).find((candidate) => candidate !== undefined)
  if (name === undefined) return undefined
  return (cell) => {
    const ending = String(read(name, cell)).split('.').at(-1)
    return MEDIA_TYPES.find(([, extension]) => extension === ending)?.[0]
  }
}

function nameIn({ snake, siblings, schema }: Site, read: Read): Maker | undefined {
  if (schema.types[0] !== 'string' || schema.enum || (!SAME.test(snake) && !SLUG.test(snake) && !FULL_NAME.test(snake)))
    return undefined
  const parts = namePartsOf(siblings)
  if (FULL_NAME.test(snake) && parts)
    return (cell) =>
      parts
        .map((part) => read(part, cell))
        .filter((text) => typeof text === 'string')
        .join(' ')
  const name = siblings.get('name') ?? siblings.get('title')
  if (name === undefined || FULL_NAME.test(snake)) return undefined
  return (cell) => {
    const value = read(name, cell)
    if (typeof value !== 'string') return undefined
    // The last part of a resource name: `projects/acme/topics/daily-news`.
    const last = /^\S+\/(\S+)$/.exec(value)?.[1]
    if (SLUG.test(snake)) return slugOf(last ?? value)
    return last === undefined ? value : last.split(/[-._]/).map(capitalised).join(' ')
  }
}
