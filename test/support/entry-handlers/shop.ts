import { type DueContext, handlers, type OperationContext } from '../../../src/handlers.ts'

const HOUR_SECONDS = 3_600

export default handlers({
  'POST /orders': ({ body, now, next, update, refuse }: OperationContext) => {
    if (Number(body.amount) < 10) refuse(422, { code: 'too_small', message: `Not ${body.amount}.` })
    next()
    update({ expires_at: Math.floor(now.getTime() / 1_000) + (body.rush === true ? 1 : 24) * HOUR_SECONDS })
  },
  'POST /orders/{id}/pay': ({ record: order, records, body, update, refuse }: OperationContext) => {
    const card = records.cards?.get(String(body.card ?? order.card))
    const notOpen = { code: 'not_open', state: order.state }
    if (order.state !== 'open') refuse(409, notOpen)
    if (card?.last4 === '0002') {
      update({ note: 'declined' })
      refuse(402, { code: 'card_declined', keeps: true })
    }
    const receipt = records.receipts?.create({
      order: order.id,
      total: order.amount,
      tax: Number(order.amount) - 20,
    })
    update({ card: card?.id ?? null, state: 'paid', receipt: receipt?.id })
  },
  'GET /takings': ({ records }: OperationContext) => {
    const latest = records.receipts?.find(() => true)
    return { latest: Number(latest?.total) + Number(latest?.tax) }
  },
  expire: ({ update }: DueContext) => void update({ state: 'expired' }),
})
