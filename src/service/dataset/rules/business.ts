import { capitalised } from '../../../names/words.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { mixPair, pickBy } from '../../../runtime/random.ts'
import { checkText } from '../../../schema/check-scalar.ts'
import type { Cell } from '../cell.ts'
import type { Site } from '../site.ts'
import { NOUNS, REASONS } from '../words/general.ts'
import { BANKS } from '../words/person.ts'
import { cityOf } from '../words/place.ts'
import { digits, fromDraw, of, oneOf, type Rules, type TextMaker } from './rule.ts'

/** Papers, payments and goods. */
export const BUSINESS_RULES: Rules = [
  [
    'invoice_number order_number quote_number receipt_number document_number po_number reference_number confirmation_number confirmation_code booking_number booking_code contract_number credit_note_number number order_no case_number ticket_number invoice_no',
    numberOf,
  ],
  [
    'tracking_number tracking_code tracking',
    fromDraw((draw) => `1Z${String(draw).padStart(10, '7')}${String(mixPair(draw, 1) % 10_000).padStart(4, '0')}`),
  ],
  ['account_number serial_number serial', digits(10)],
  [
    'reference external_reference order_ref ref merchant_reference identifier external_id external_key reference_id custom_id client_reference_id external_ref foreign_id asset_tag',
    fromDraw((draw, site) => `${lettersFor(site.owner)}-${10_000 + (draw % 90_000)}`),
  ],
  [
    'sku product_code article_number part_number item_code model_number mpn item_number',
    fromDraw((draw) => `${pickBy(NOUNS, draw).slice(0, 3).toUpperCase()}-${1000 + (mixPair(draw, 1) % 9000)}`),
  ],
  ['barcode ean gtin upc isbn ean13', digits(13)],
  ['vin', digits(17)],
  ['mcc merchant_category_code', oneOf('5734', '5411', '5812', '7372')],
  ['carrier courier delivery_service shipping_carrier', oneOf('UPS', 'FedEx', 'DHL', 'USPS')],
  ['model', fromDraw((draw) => `${capitalised(pickBy(NOUNS, draw))} ${100 * (1 + (mixPair(draw, 1) % 9))}`)],
  ['campaign campaign_name', oneOf('spring-launch', 'welcome', 'summer-sale', 'newsletter')],
  ['segment segment_name', oneOf('returning', 'new-customers', 'dormant', 'enterprise')],
  ['rate percentage percent', fromDraw((draw) => ((1 + (draw % 100)) / 4).toFixed(2))],
  ['quantity qty', fromDraw((draw) => String(1 + (draw % 12)))],
  ['iban bank_account', (site) => prefixed('DE89370400', digits(12)(site))],
  ['bic swift swift_code', oneOf('NWBKDEFF', 'HRBKGB2L', 'CEDRFRPP')],
  ['routing_number sort_code bank_code', digits(9)],
  ['bank bank_name institution institution_name', oneOf(...BANKS)],
  ['tax_id vat_id vat_number ein tax_number registration_number vat', taxNumberOf],
  ['last4 last_4 last_four last_digits card_last_four last_four_digits', digits(4)],
  ['card_number pan', () => () => '4242424242424242'],
  ['exp_month expiry_month expiration_month', fromDraw((draw) => String(1 + (draw % 12)).padStart(2, '0'))],
  [
    'exp_year expiry_year expiration_year',
    (site) => (cell) => String(yearOf(cell) + 1 + (mixPair(cell.seed, site.key) % 4)),
  ],
  ['year fiscal_year', () => (cell) => String(yearOf(cell))],
  ['month period billing_period', () => (cell) => toIso(cell.frame.createdAt).slice(0, 7)],
  ['weekday day_of_week', oneOf('monday', 'tuesday', 'wednesday', 'thursday', 'friday')],
  ['card_brand card_type network brand_name card_network', oneOf('visa', 'mastercard', 'amex')],
  ['payment_method payment_method_type payment_type', oneOf('card', 'sepa_debit', 'bank_transfer', 'paypal')],
  ['currency_symbol symbol', oneOf('€', '$', '£')],
  ['plan plan_name tier subscription_plan', oneOf('team', 'starter', 'business', 'enterprise')],
  ['frequency interval cycle billing_cycle cadence recurrence', oneOf('monthly', 'weekly', 'yearly', 'daily')],
  ['unit unit_of_measure uom units', oneOf('piece', 'kg', 'hour', 'month', 'box')],
  ['size', oneOf('M', 'L', 'S', 'XL')],
  ['material', oneOf('oak', 'linen', 'steel', 'ceramic', 'cotton')],
  ['reason cancellation_reason failure_reason close_reason status_reason', oneOf(...REASONS)],
  [
    'source channel origin medium utm_source referrer lead_source acquisition utm_medium',
    oneOf('web', 'email', 'referral', 'api', 'import', 'partner'),
  ],
  ['breed', oneOf('Border Collie', 'Beagle', 'Maine Coon', 'Labrador', 'Siamese', 'Terrier')],
  ['species', oneOf('dog', 'cat', 'rabbit', 'parrot')],
  ['genre genres', oneOf('Drama', 'Comedy', 'Documentary', 'Thriller', 'Jazz')],
]

function prefixed(prefix: string, make: TextMaker): TextMaker {
  return (cell) => prefix + make(cell)
}

function taxNumberOf(site: Site): TextMaker {
  const number = digits(9)(site)
  const country = of((subject) => cityOf(subject).country.code)(site)
  return (cell) => country(cell) + number(cell)
}

function yearOf(cell: Cell): number {
  return Number(toIso(cell.frame.now).slice(0, 4))
}

/** `INV-2026-0042`: letters for the kind of thing, the year, its number; or in the form of the example or the pattern. */
function numberOf({ snake, owner, schema }: Site): TextMaker {
  const like = typeof schema.example === 'string' ? /^(.*?)(\d{2,12})$/.exec(schema.example) : null
  if (like) return (cell) => `${like[1]}${inOrder(cell, like[2]?.length ?? 1)}`
  const letters = lettersIn(schema.pattern) ?? lettersFor(/^(.+)_(?:number|no|code)$/.exec(snake)?.[1] ?? owner)
  const spellings: readonly TextMaker[] = [
    (cell) => `${letters}-${toIso(cell.frame.createdAt).slice(0, 4)}-${inOrder(cell, 4)}`,
    ...[6, 5, 4, 8, 3].map((width) => (cell: Cell) => `${letters}-${inOrder(cell, width)}`),
    ...[6, 8, 10, 4].map((width) => (cell: Cell) => letters + inOrder(cell, width)),
    ...[1, 6, 8, 10].map((width) => (cell: Cell) => inOrder(cell, width)),
  ]
  const check = checkText(schema, 'strict')
  return (cell) => {
    const spell = spellings.find((candidate) => check?.(candidate(cell)) === undefined) ?? (spellings[0] as TextMaker)
    return spell(cell)
  }
}

function inOrder(cell: Cell, width: number): string {
  return String(cell.frame.rank + 1).padStart(width, '0')
}

/** `SO` of `^SO-[0-9]{6}$`. */
function lettersIn(pattern: string | undefined): string | undefined {
  return /^\^?([A-Z]{1,5})(?=-?[[\\(])/.exec(pattern ?? '')?.[1]
}

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    invoice: 'INV',
    order: 'ORD',
    quote: 'QUO',
    credit_note: 'CN',
    purchase_order: 'PO',
    receipt: 'RCP',
    ticket: 'TCK',
    booking: 'BKG',
    payment: 'PAY',
  }),
)

/** Letters for a noun: `CN` for credit notes, `PRO` for products. */
function lettersFor(noun: string): string {
  const known = LETTERS.get(noun)
  if (known) return known
  const words = noun.split('_').filter((word) => word !== '')
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join('') : noun.slice(0, 3)
  return (letters || 'REF').toUpperCase().slice(0, 4)
}
