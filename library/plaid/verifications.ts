import { type Fields, fieldsOf, fits, type Json, type Kept, nulls, operation, type PlaidRequest } from './plaid.ts'

const STEPS =
  'accept_tos verify_sms kyc_check documentary_verification selfie_check watchlist_screening risk_check'.split(' ')
const stepsOf = (first: string, others: string): Fields =>
  Object.fromEntries(STEPS.map((name, at) => [name, at === 0 ? first : others]))

const clientUserOf = ({ client_user_id, user }: Fields): Json => client_user_id ?? fieldsOf(user).client_user_id ?? null

/** The attempts of a client's user, newest first. */
const attemptsOf = ({ records }: PlaidRequest, sent: Fields): Kept[] =>
  records.verifications.where(
    (one) => one.client_user_id === clientUserOf(sent) && fieldsOf(one.template).id === sent.template_id,
  )

const EMPTY =
  'completed_at documentary_verification selfie_check kyc_check risk_check verify_sms watchlist_screening_id beacon_user_id user_id redacted_at'

function begin({ body, id, now, of, records }: PlaidRequest, previous_attempt_id: string | null): Fields {
  const { template_id = '', is_shareable } = body
  const client_user_id = clientUserOf(body)
  const made = id('idv_')
  const shareable_url = is_shareable === true ? `${of.origin}/verify/${made}?key=${id()}` : null
  const person = nulls('phone_number date_of_birth ip_address email_address name address id_number')
  const { client_user_id: _, ...known } = fieldsOf(body.user)
  return records.verifications.create({
    ...{ ...nulls(EMPTY), id: made, client_user_id, created_at: now.toISOString(), previous_attempt_id, shareable_url },
    template: { id: template_id, version: 1 },
    user: { ...person, ...known },
    ...{ status: 'active', steps: stepsOf('active', 'waiting_for_prerequisite') },
  })
}

/** A person is verified in Link, if its token is for that. @returns whether it is */
export function verifyPerson(plaid: PlaidRequest, { verifies, metadata }: Kept): boolean {
  if (verifies == null) return false
  const active = attemptsOf(plaid, fieldsOf(verifies)).find((one) => one.status === 'active')
  if (active === undefined) return true
  const change = { status: 'success', completed_at: plaid.now.toISOString(), steps: stepsOf('success', 'success') }
  plaid.records.verifications.update(active.id, change)
  const facts = { identity_verification_id: active.id }
  plaid.notifyAt(fieldsOf(metadata).webhook, 'IDENTITY_VERIFICATION', 'STATUS_UPDATED', facts)
  return true
}

/** The person of the sandbox who is on a list. */
const LISTED = /^aleksey potemkin$/i
const screeningOf = (plaid: PlaidRequest): Kept => plaid.known('screenings', 'watchlist_screening_id')

/** Verifications of people, and screenings against lists. */
export const verifications = {
  'POST /identity_verification/create': operation(['is_shareable', 'template_id', 'gave_consent'], (plaid) => {
    const [made] = plaid.body.is_idempotent === true ? attemptsOf(plaid, plaid.body) : []
    return made ?? begin(plaid, null)
  }),
  'POST /identity_verification/get': operation(['identity_verification_id'], (plaid) =>
    plaid.known('verifications', 'identity_verification_id'),
  ),
  'POST /identity_verification/list': operation(['template_id', 'client_user_id'], (plaid) =>
    plaid.pageByCursor('identity_verifications', attemptsOf(plaid, plaid.body), (one) => one),
  ),
  'POST /watchlist_screening/individual/create': operation(['search_terms'], (plaid) => {
    const { client_user_id = null, search_terms } = plaid.body
    const terms = fieldsOf(search_terms)
    plaid.need(['legal_name'], terms, 'search_terms.')
    const usual = { date_of_birth: null, document_number: null, country: null, version: 1 }
    const audit_trail = { source: 'api', dashboard_user_id: null, timestamp: plaid.now.toISOString() }
    const status = LISTED.test(String(terms.legal_name)) ? 'pending_review' : 'cleared'
    const facts = { client_user_id, assignee: null, status, search_terms: { ...usual, ...terms }, audit_trail }
    return plaid.records.screenings.create({ id: plaid.id('scr_'), ...facts })
  }),
  'POST /watchlist_screening/individual/get': operation(['watchlist_screening_id'], screeningOf),
  'POST /watchlist_screening/individual/list': operation(['watchlist_program_id'], (plaid) => {
    const { body, records } = plaid
    const isFound = (one: Kept): boolean =>
      fieldsOf(one.search_terms).watchlist_program_id === body.watchlist_program_id &&
      fits(one, body, 'client_user_id', 'status', 'assignee')
    return plaid.pageByCursor('watchlist_screenings', records.screenings.where(isFound), (one) => one)
  }),
  'POST /watchlist_screening/individual/update': operation(['watchlist_screening_id'], (plaid) => {
    const { id, search_terms, ...known } = screeningOf(plaid)
    const { search_terms: terms, status = known.status, assignee, client_user_id = known.client_user_id } = plaid.body
    const version = Number(fieldsOf(search_terms).version) + (terms == null ? 0 : 1)
    const change = { status, assignee: assignee ?? known.assignee, client_user_id }
    return plaid.records.screenings.update(id, {
      ...change,
      search_terms: { ...fieldsOf(search_terms), ...fieldsOf(terms), version },
    })
  }),
  'POST /identity_verification/retry': operation(['template_id', 'client_user_id', 'strategy'], (plaid) => {
    const [last] = attemptsOf(plaid, plaid.body)
    if (last === undefined) return plaid.invalid('client_user_id must be of an earlier attempt')
    if (last.status === 'active') plaid.records.verifications.update(last.id, { status: 'canceled' })
    return begin(plaid, last.id)
  }),
}
