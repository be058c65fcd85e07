import type { PagePart, SentForm } from '../../src/handlers.ts'
import { type Context, fieldsOf, type Kept, problemOf, textOf } from './context.ts'

const CARD = [
  { field: 'Card number', name: 'number', example: '4242 4242 4242 4242', keys: 'numeric' },
  { field: 'Expiration', name: 'expiration', example: 'MM / YY', keys: 'numeric', half: true },
  { field: 'CVC', name: 'cvc', example: '123', keys: 'numeric', half: true },
  { field: 'Cardholder name', name: 'holder' },
] as const

/** The fields of a card. The number decides what happens. With saved cards it may be left empty. */
export const cardFields = (sent: SentForm = {}, saved: readonly Kept[] = []): PagePart[] => [
  ...(saved.length === 0
    ? []
    : [
        {
          field: 'Saved card',
          name: 'saved',
          value: sent.saved ?? saved[0]?.id,
          options: [
            ...saved.map((method) => ({ label: nameOfCard(method), value: method.id })),
            { label: 'Another card', value: '' },
          ],
        },
      ]),
  ...CARD.map((field) => ({ ...field, value: sent[field.name], optional: saved.length > 0 })),
  { note: 'Test cards only: 4000 0000 0000 0002 is declined, 4000 0027 6000 3184 asks the bank.' },
]

/** Makes a payment method of the fields; the problem of a card that cannot be one. */
export function takeCard({ call, now }: Context, sent: SentForm): { id: string } | { problem: string } {
  const number = (sent.number ?? '').replaceAll(/[\s-]/g, '')
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(sent.expiration ?? '') ?? []
  const ends = Date.UTC(2000 + Number(year), Number(month))
  if (!/^\d{12,19}$/.test(number)) return { problem: 'Your card number is incomplete.' }
  if (month === '' || Number(month) < 1 || Number(month) > 12)
    return { problem: "Your card's expiration date is invalid." }
  if (ends <= now.getTime()) return { problem: "Your card's expiration date is in the past." }
  if (!/^\d{3,4}$/.test(sent.cvc ?? '')) return { problem: "Your card's security code is incomplete." }
  const card = { number, exp_month: Number(month), exp_year: 2000 + Number(year), cvc: sent.cvc }
  const made = call('POST', '/v1/payment_methods', { type: 'card', card, billing_details: { name: sent.holder } })
  return made.status === 200 ? { id: textOf(made.body.id) } : { problem: problemOf(made.body) }
}

/** `Visa ending in 4242`. */
export function nameOfCard(method: Kept | undefined): string {
  const { brand, last4 } = fieldsOf(method?.card)
  const name = textOf(brand)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ending in ${last4}`
}

/** The question of a bank whether its customer is it. */
export const authenticationParts = (what: string): PagePart[] => [
  `The simulated bank asks whether it is you who ${what}.`,
  {
    form: [
      { button: 'Complete authentication', name: 'outcome', value: 'success', main: true },
      { button: 'Fail authentication', name: 'outcome', value: 'failure' },
    ],
  },
]
