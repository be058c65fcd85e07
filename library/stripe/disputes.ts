import { emptyEvidence } from './declines.ts'
import {
  fieldsOf,
  inside,
  isGiven,
  isOneOf,
  type Kept,
  listOf,
  merged,
  numberOf,
  type Operations,
  type Steps,
  type Stripe,
  textIn,
  wholeOf,
  without,
} from './stripe.ts'

/** Books money that a dispute takes, or gives back. */
function moveFunds({ records }: Stripe, dispute: Kept, amount: number, fee: number): void {
  const { id, currency, charge, balance_transactions } = dispute
  const moved = records.balance_transactions.create({
    ...{ amount, currency, source: id, type: 'adjustment', description: `Chargeback for ${charge}` },
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    ...{ status: 'available', fee, net: amount - fee },
  })
  records.disputes.update(id, { balance_transactions: [...listOf(balance_transactions), moved] })
}

/** The dispute of a card that is for it. https://docs.stripe.com/testing#disputes */
export function openDispute(stripe: Stripe, intent: Kept, method: Kept): void {
  const { records } = stripe
  const { id, amount, latest_charge: charge, currency } = intent
  const last4 = textIn(method, 'card.last4')
  const isInquiry = last4 === '1976'
  const brand = inside(method, 'card.brand') ?? null
  const due_by = stripe.later(9)
  const dispute = records.disputes.create({
    ...{ amount, charge, currency, payment_intent: id, is_charge_refundable: isInquiry },
    reason: last4 === '2685' ? 'product_not_received' : 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    evidence_details: {
      ...{ due_by, has_evidence: false, past_due: false, submission_count: 0, submission_method: 'not_submitted' },
      enhanced_eligibility: {},
    },
    ...{ answer_by: due_by, evidence: emptyEvidence() },
    payment_method_details: {
      type: 'card',
      card: { brand, case_type: isInquiry ? 'inquiry' : 'chargeback', network: brand, network_reason_code: '10' },
    },
  })
  stripe.change('charges', charge, { disputed: true })
  if (!isInquiry) moveFunds(stripe, dispute, 0 - numberOf(amount), 1_500)
}

const checkOpen = (stripe: Stripe, dispute: Kept): void => {
  if (isOneOf(dispute.status, 'won', 'lost', 'warning_closed')) stripe.refuse('This dispute is already closed.')
}

/** What Stripe decides by a text of evidence: of a chargeback, of an inquiry. https://docs.stripe.com/testing#evidence */
const DECIDED: Readonly<Record<string, string>> = { winning_evidence: 'won', losing_evidence: 'lost' }
const ANSWERED: Readonly<Record<string, string>> = {
  ...{ winning_evidence: 'warning_closed', losing_evidence: 'warning_closed' },
  escalate_inquiry_evidence: 'needs_response',
}

export const disputes: Operations = {
  'POST /v1/disputes/{dispute}': (stripe) => {
    const { body, records } = stripe
    const before = stripe.own('disputes')
    const { id } = stripe.next()
    checkOpen(stripe, before)
    const isInquiry = textIn(before, 'status').startsWith('warning')
    const hasEvidence = isGiven(body.evidence)
    const isSubmitted = hasEvidence ? body.submit !== false : body.submit === true
    const evidence = merged(before.evidence, wholeOf(body.evidence))
    const count = numberOf(inside(before.evidence_details, 'submission_count'))
    const review = isInquiry ? 'warning_under_review' : 'under_review'
    const decided = (isInquiry ? ANSWERED : DECIDED)[textIn(evidence, 'uncategorized_text')]
    const status = isSubmitted ? (decided ?? review) : before.status
    const dispute = records.disputes.update(id, {
      ...{ status, evidence },
      evidence_details: {
        ...fieldsOf(before.evidence_details),
        ...(hasEvidence && { has_evidence: true }),
        ...(isSubmitted && { submission_count: count + 1, submission_method: 'manual' }),
      },
      ...(isSubmitted && status !== 'needs_response' && { answer_by: null }),
      ...(isSubmitted && isOneOf(status, 'won', 'needs_response') && { is_charge_refundable: status === 'won' }),
    })
    if (isSubmitted && status === 'won') moveFunds(stripe, dispute, numberOf(dispute.amount), 0)
    if (isSubmitted && status === 'needs_response') moveFunds(stripe, dispute, 0 - numberOf(dispute.amount), 1_500)
    // Stripe decides a moment after it has answered
    return {
      ...without(stripe.fresh('disputes', dispute), 'answer_by'),
      ...(isSubmitted && { status: review }),
    }
  },
  'POST /v1/disputes/{dispute}/close': (stripe) => {
    const dispute = stripe.own('disputes')
    checkOpen(stripe, dispute)
    return stripe.records.disputes.update(dispute.id, { status: 'lost' })
  },
}

export const disputeSteps: Steps = {
  /** Nobody has answered a dispute in time. */
  missDispute: ({ records }, { id, status, evidence_details }) => {
    records.disputes.update(id, {
      status: status === 'needs_response' ? 'lost' : 'warning_closed',
      answer_by: null,
      evidence_details: { ...fieldsOf(evidence_details), past_due: true },
    })
  },
}
