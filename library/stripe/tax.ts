import type { JsonObject } from '../../src/protocol/json.ts'
import { absent, type Context, fieldsOf, find, listOf, refused, secondsOf, textOf, toPage } from './context.ts'
import { type Fields, isGiven, numberOf, type Operations, type Stripe } from './stripe.ts'

/** The forms of tax ids; those of other types are taken as they are. */
const FORMS: Readonly<Record<string, RegExp>> = {
  au_abn: /^\d{11}$/,
  au_arn: /^\d{12}$/,
  br_cnpj: /^\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}$/,
  br_cpf: /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/,
  ca_bn: /^\d{9}$/,
  ca_gst_hst: /^\d{9}RT\d{4}$/,
  ch_vat: /^CHE-?\d{3}\.?\d{3}\.?\d{3}(?: ?(?:MWST|TVA|IVA))?$/,
  es_cif: /^[A-Z]\d{7}[A-Z\d]$/,
  eu_vat: /^(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[A-Z\d]{8,12}$/,
  gb_vat: /^GB(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
  in_gst: /^\d{2}[A-Z\d]{10}\d[A-Z]\w$/i,
  jp_cn: /^\d{13}$/,
  jp_trn: /^T\d{13}$/,
  mx_rfc: /^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/,
  no_vat: /^\d{9}MVA$/,
  nz_gst: /^\d{8,9}$|^\d{2,3}-\d{3}-\d{3}$/,
  sg_gst: /^M\d{8}[A-Z]$/,
  sg_uen: /^\d{8,9}[A-Z]$/,
  us_ein: /^\d{2}-?\d{7}$/,
  za_vat: /^\d{10}$/,
}
/** Types that Stripe verifies with an authority. */
const VERIFIED = ['au_abn', 'eu_vat', 'gb_vat']
/** Values with a fixed outcome of the verification. */
const MAGIC = /0{9}$|1{9}$|2{9}$/

export function createTaxId(
  context: Context,
  customer: string | null,
  owner: JsonObject,
  sent = context.body,
): JsonObject {
  const { records } = context
  const [type, value] = [textOf(sent.type), textOf(sent.value)]
  if (FORMS[type]?.test(value) === false && !MAGIC.test(value))
    return refused(context, 'value', `Invalid value for ${type}.`, 'tax_id_invalid')
  const isVerified = VERIFIED.includes(type)
  return records.tax_ids.create({
    country: type === 'eu_vat' ? value.slice(0, 2).replace('EL', 'GR') : type.slice(0, 2).toUpperCase(),
    customer,
    owner,
    type,
    value,
    verification: { status: isVerified ? 'pending' : 'unavailable', verified_address: null, verified_name: null },
    ...(isVerified && MAGIC.test(value) && { verifies_at: secondsOf(context) + 60 }),
  })
}

const negated = (amount: unknown): number => 0 - Number(amount)

/** Settings are active once there is a head office. */
function settings({ next }: Context): JsonObject {
  const kept = next()
  const isActive = fieldsOf(fieldsOf(kept.head_office).address).country !== undefined
  const status_details = isActive ? { active: {} } : { pending: { missing_fields: ['head_office'] } }
  return { ...kept, status: isActive ? 'active' : 'pending', status_details }
}

/** Tax ids, and what is taken back of Stripe Tax. */
export const tax = {
  'POST /v1/customers/{customer}/tax_ids': (context: Context) => {
    const { id } = find(context, 'customers', context.path.customer, 'customer')
    return createTaxId(context, id, { type: 'customer', customer: id, customer_account: null })
  },
  'GET /v1/tax_ids': (context: Context) => {
    const { type = 'self', customer } = fieldsOf(context.query.owner)
    const own = context.records.tax_ids.where((one) =>
      type === 'customer' ? one.customer === customer : fieldsOf(one.owner).type === type,
    )
    const shown = own.map(({ verifies_at: _, ...one }) => one)
    return toPage(context, '/v1/tax_ids', shown)
  },
  'POST /v1/tax_ids': (context: Context) => {
    const { type = 'self', customer } = fieldsOf(context.body.owner)
    const payer = type === 'customer' ? find(context, 'customers', customer, 'owner[customer]').id : null
    return createTaxId(context, payer, {
      type,
      ...(payer && { customer_account: null }),
      ...fieldsOf(context.body.owner),
    })
  },
  'GET /v1/tax/settings': settings,
  'POST /v1/tax/settings': settings,
  'POST /v1/tax/transactions/create_reversal': (context: Context) => {
    const { body, records } = context
    const original = find(context, 'transactions', body.original_transaction, 'original_transaction')
    if (records.transactions.some({ reference: textOf(body.reference) }))
      return refused(context, 'reference', `A tax transaction already exists with reference ${body.reference}.`)
    const lines = listOf(fieldsOf(original.line_items).data)
    const flat = body.flat_amount === undefined ? undefined : Number(body.flat_amount)
    const total = lines.reduce((sum, { amount, amount_tax }) => sum + Number(amount) + Number(amount_tax), 0)
    const wanted =
      body.mode === 'full' || flat !== undefined
        ? lines.map((line) => ({ original_line_item: line.id, share: flat === undefined ? -1 : flat / total }))
        : listOf(body.line_items)
    const data = wanted.map((part): JsonObject => {
      const { original_line_item, reference, amount, amount_tax, share } = fieldsOf(part)
      const line = lines.find(({ id }) => id === original_line_item)
      if (line === undefined) return absent(context, 'line item', original_line_item, 'line_items')
      const of = (field: 'amount' | 'amount_tax', sent: unknown) =>
        share === undefined
          ? Number(sent)
          : share === -1
            ? negated(line[field])
            : Math.round(Number(line[field]) * Number(share))
      return {
        ...line,
        id: context.id('tax_li_'),
        amount: of('amount', amount),
        amount_tax: of('amount_tax', amount_tax),
        reference: reference ?? line.reference ?? null,
        reversal: { original_line_item: line.id ?? null },
        type: 'reversal',
      }
    })
    const { id: _, created: __, ...copied } = original
    return records.transactions.create({
      ...copied,
      line_items: { ...fieldsOf(original.line_items), data },
      metadata: fieldsOf(body.metadata),
      posted_at: secondsOf(context),
      reference: textOf(body.reference),
      reversal: { original_transaction: original.id },
      type: 'reversal',
    })
  },
  'GET /v1/tax/transactions/{transaction}/line_items': (context: Context) => {
    const { id, line_items } = find(context, 'transactions', context.path.transaction)
    return toPage(context, `/v1/tax/transactions/${id}/line_items`, listOf(fieldsOf(line_items).data))
  },
}

/** When a registration begins: a time, or `now`. */
const beginning = ({ body, unix }: Stripe): Fields => {
  const active_from = body.active_from === 'now' ? unix : numberOf(body.active_from)
  return { active_from, status: active_from > unix ? 'scheduled' : 'active' }
}

export const registrations: Operations = {
  'POST /v1/tax/registrations': (stripe) => stripe.records.registrations.update(stripe.next().id, beginning(stripe)),
  'POST /v1/tax/registrations/{id}': (stripe) => {
    const { body, records, unix } = stripe
    const { id } = stripe.next()
    const { expires_at } = body
    return records.registrations.update(id, {
      ...(isGiven(body.active_from) && beginning(stripe)),
      ...(expires_at === 'now' && { expires_at: unix, status: 'expired' }),
      ...(numberOf(expires_at) > 0 && { expires_at: numberOf(expires_at) }),
    })
  },
}
