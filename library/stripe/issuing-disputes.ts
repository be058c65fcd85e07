import type { DueContext } from '../../src/handlers.ts'
import { type Context, fieldsOf, find, type Kept, refused, secondsOf, textOf } from './context.ts'

function createDispute(context: Context): object {
  const { body, records, create } = context
  const transaction = find(context, 'issuing_transactions', body.transaction, 'transaction')
  if (transaction.dispute !== null)
    return refused(context, 'transaction', `Transaction ${transaction.id} has already been disputed.`)
  const amount = Number(body.amount ?? Math.abs(Number(transaction.amount)))
  const made = create({
    ...body,
    amount,
    currency: textOf(transaction.currency),
    evidence: body.evidence ?? { reason: 'other', other: {} },
  })
  records.issuing_transactions.update(transaction.id, { dispute: textOf(made.id) })
  return made
}

/** A dispute in the status that a request takes. */
function unsubmitted(context: Context): Kept {
  const dispute = find(context, 'issuing_disputes', context.path.dispute, 'dispute')
  if (dispute.status === 'unsubmitted') return dispute
  return refused(context, null, `Dispute ${dispute.id} cannot be changed because it is ${dispute.status}.`)
}

function submitDispute(context: Context): object {
  const dispute = unsubmitted(context)
  const evidence = fieldsOf(dispute.evidence)
  const { explanation } = fieldsOf(evidence[textOf(evidence.reason)])
  if (textOf(explanation) === '')
    return refused(
      context,
      `evidence[${evidence.reason}][explanation]`,
      'An explanation is required to submit this dispute.',
      'parameter_missing',
    )
  const isDecided = ['winning_evidence', 'losing_evidence'].includes(textOf(explanation))
  return context.records.issuing_disputes.update(dispute.id, {
    metadata: { ...fieldsOf(dispute.metadata), ...fieldsOf(context.body.metadata) },
    status: 'submitted',
    ...(isDecided && { settles_at: secondsOf(context) + 86_400 }),
  })
}

/** Disputes of what was paid with issued cards. */
export const issuingDisputes = {
  'POST /v1/issuing/disputes': createDispute,
  'POST /v1/issuing/disputes/{dispute}': (context: Context) => {
    unsubmitted(context)
    return context.next()
  },
  'POST /v1/issuing/disputes/{dispute}/submit': submitDispute,
  settleIssuingDispute: ({ record, update }: DueContext) => {
    const evidence = fieldsOf(record.evidence)
    const { explanation } = fieldsOf(evidence[textOf(evidence.reason)])
    update({ settles_at: null, status: explanation === 'winning_evidence' ? 'won' : 'lost' })
  },
}
