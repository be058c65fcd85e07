import {
  type Fields,
  filled,
  idsOf,
  isAmong,
  type Kept,
  type Operations,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

export const toDispute = (dispute: Fields): Fields =>
  filled({ ...without(dispute, 'reported_date'), dispute_id: dispute.id })

export const toEvidence = (evidence: Fields): Fields => filled({ ...evidence, evidence_id: evidence.id })

const disputeOf = (square: SquareRequest): Kept =>
  square.find('disputes', 'Could not find dispute with id: {id}', square.path.dispute_id)

/** The dispute that the path names, as long as it waits for the seller. */
function openOf(square: SquareRequest): Kept {
  const dispute = disputeOf(square)
  return dispute.state === 'EVIDENCE_REQUIRED'
    ? dispute
    : square.refuse('BAD_REQUEST', `Dispute ${dispute.id} is ${dispute.state}.`)
}

const evidenceOf = (square: SquareRequest): Kept =>
  square.find('dispute_evidence', 'Could not find evidence with id: {id}')

function setEvidence(square: SquareRequest, dispute: Kept, evidence_ids: string[], done: 'created' | 'deleted'): void {
  const { id, location_id = null } = dispute
  const object = { dispute: toDispute(square.records.disputes.update(dispute, { evidence_ids })) }
  square.announce(`dispute.evidence.${done}`, { type: 'dispute', id, object, location_id })
}

export const disputes: Operations = {
  'GET /v2/disputes': (square) => {
    const { location_id, states } = square.query
    const wanted = states ? textOf(states).split(',') : null
    const found = square.oldest(
      'disputes',
      (one) => isAmong(one.location_id, location_id) && isAmong(one.state, wanted),
    )
    return square.page('disputes', found, toDispute, { usual: 50, most: 100 })
  },
  'GET /v2/disputes/{dispute_id}': (square) => ({ dispute: toDispute(disputeOf(square)) }),
  'POST /v2/disputes/{dispute_id}/accept': (square) => ({
    dispute: toDispute(square.change('disputes', openOf(square), { state: 'ACCEPTED' })),
  }),
  'POST /v2/disputes/{dispute_id}/evidence-text': (square) => {
    const dispute = openOf(square)
    const { evidence_text, evidence_type } = square.sent({ evidence_text: '', evidence_type: '' })
    const evidence = square.records.dispute_evidence.create({
      ...{ dispute_id: dispute.id, evidence_text, evidence_type: evidence_type ?? 'GENERIC_EVIDENCE' },
      uploaded_at: square.time,
    })
    setEvidence(square, dispute, [...idsOf(dispute.evidence_ids), evidence.id], 'created')
    return { evidence: toEvidence(evidence) }
  },
  'POST /v2/disputes/{dispute_id}/submit-evidence': (square) => {
    const dispute = openOf(square)
    if (idsOf(dispute.evidence_ids).length === 0)
      square.refuse('BAD_REQUEST', `Dispute ${dispute.id} has no evidence yet.`)
    return { dispute: toDispute(square.change('disputes', dispute, { state: 'PROCESSING' })) }
  },
  'GET /v2/disputes/{dispute_id}/evidence': (square) =>
    square.page('evidence', square.oldest('dispute_evidence', { dispute_id: disputeOf(square).id }), toEvidence),
  'GET /v2/disputes/{dispute_id}/evidence/{evidence_id}': (square) => ({ evidence: toEvidence(evidenceOf(square)) }),
  'DELETE /v2/disputes/{dispute_id}/evidence/{evidence_id}': (square) => {
    const { records } = square
    const { id, dispute_id = null } = evidenceOf(square)
    const dispute = records.disputes.get(textOf(dispute_id))
    records.dispute_evidence.remove(id)
    if (dispute)
      setEvidence(
        square,
        dispute,
        idsOf(dispute.evidence_ids).filter((one) => one !== id),
        'deleted',
      )
    return {}
  },
}
