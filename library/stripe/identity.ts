import type { DueContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, type Kept, missing, refused, secondsOf, textOf } from './context.ts'

/** What a sandbox reads from the documents of its examples. */
const PERSON = { first_name: 'Jenny', last_name: 'Rosen' }
const ADDRESS = {
  city: 'San Francisco',
  country: 'US',
  line1: '1234 Main St',
  line2: null,
  postal_code: '94111',
  state: 'CA',
}
const REASONS: Readonly<Record<string, string>> = {
  consent_declined: 'The user declined to be verified.',
  document_expired: 'The document is expired.',
  document_type_not_supported: 'The document type is not supported.',
  document_unverified_other: 'The document could not be verified.',
  id_number_mismatch: "The ID number doesn't match the provided name and date of birth.",
  selfie_face_mismatch: "The face in the selfie doesn't match the document.",
  under_supported_age: 'The user is under the supported age.',
}

const sessionOf = (context: Context): Kept => find(context, 'verification_sessions', context.path.session, 'session')

/** Refuses what a session in this status does not take. */
function mustWait(context: Context, verb: string): Kept {
  const session = sessionOf(context)
  if (session.status === 'requires_input') return session
  return refused(
    context,
    null,
    `You cannot ${verb} this VerificationSession because it has a status of ${session.status}.`,
  )
}

function createSession(context: Context): object {
  const { body, create, id, origin } = context
  if (body.type === undefined && body.verification_flow === undefined)
    return refused(context, 'type', 'Missing required param: type.', 'parameter_missing')
  const type = textOf(body.type) || 'verification_flow'
  const secret = id('test_')
  const own = fieldsOf(fieldsOf(body.options).document)
  const made = create({ ...body, type, options: type === 'id_number' ? { id_number: {} } : { document: own } })
  return context.records.verification_sessions.update(textOf(made.id), {
    client_secret: `${made.id}_secret_${secret}`,
    url: `${origin}/start/${secret}`,
    verified_outputs: null,
  })
}

function updateSession(context: Context): object {
  mustWait(context, 'update')
  return context.next()
}

/** The person's part: what is sent is checked for a minute. */
function submit(context: Context): object {
  const { id } = mustWait(context, 'submit')
  return context.records.verification_sessions.update(id, {
    status: 'processing',
    last_error: null,
    outcome: textOf(context.body.outcome) || 'verified',
    settles_at: secondsOf(context) + 60,
  })
}

function redact(context: Context): object {
  const { id, status } = sessionOf(context)
  if (status === 'processing')
    return refused(context, null, `You cannot redact this VerificationSession because it has a status of ${status}.`)
  return context.records.verification_sessions.update(id, {
    client_secret: null,
    url: null,
    redaction: { status: 'processing' },
    settles_at: secondsOf(context) + 60,
  })
}

function reportOf(session: Kept, error: JsonObject | null): JsonObject {
  const isVerified = error === null
  const status = isVerified ? 'verified' : 'unverified'
  const about = textOf(error?.code).split('_')[0]
  const isOf = (part: string) =>
    about === part || isVerified ? { error, status } : { error: null, status: 'verified' }
  if (session.type === 'id_number') return { id_number: { ...PERSON, error, id_number_type: 'us_ssn', status } }
  const wanted = fieldsOf(fieldsOf(session.options).document)
  const [type = 'driving_license'] = Array.isArray(wanted.allowed_types) ? wanted.allowed_types : []
  const issued = { issued_date: { day: 1, month: 1, year: 2020 }, issuing_country: 'US', files: [] }
  const document = about === 'selfie' || about === 'id' ? isOf('document') : { error, status }
  return {
    document: { address: ADDRESS, ...PERSON, ...issued, ...document, type },
    ...(wanted.require_matching_selfie === true && { selfie: { document: null, selfie: null, ...isOf('selfie') } }),
    ...(wanted.require_id_number === true && { id_number: { ...PERSON, id_number_type: 'us_ssn', ...isOf('id') } }),
  }
}

/** The answer of the check, or the end of a redaction. */
function settleSession({ record, records, update }: DueContext): void {
  if (fieldsOf(record.redaction).status === 'processing') {
    update({ redaction: { status: 'redacted' }, settles_at: null, verified_outputs: null, provided_details: null })
    return
  }
  const code = textOf(record.outcome)
  const error = code === 'verified' ? null : { code, reason: REASONS[code] ?? null }
  const { id, type, options, client_reference_id } = record as Kept
  const report = records.verification_reports?.create({
    client_reference_id,
    options,
    type,
    verification_session: id,
    ...reportOf(record as Kept, error),
  })
  const outputs = { ...PERSON, address: ADDRESS, email: null, phone: null, id_number_type: null }
  update({
    status: error === null ? 'verified' : 'requires_input',
    settles_at: null,
    last_error: error,
    last_verification_report: report?.id,
    ...(error === null && { client_secret: null, url: null, verified_outputs: outputs }),
  })
}

/** The hosted page: it asks for no document, but for the outcome. */
export const verification = (context: Context): object =>
  context.page((sent) => {
    const { records, path, call } = context
    const session = records.verification_sessions.find(({ url }) => textOf(url).endsWith(`/start/${path.id}`))
    if (session === undefined || session.status === 'canceled') return missing('verification session')
    if (session.status === 'requires_input' && sent === undefined)
      return {
        title: 'Verify your identity',
        parts: [
          {
            form: [
              { button: 'Verification success', name: 'outcome', value: 'verified', main: true },
              { button: 'Verification failure', name: 'outcome', value: 'document_unverified_other' },
              { button: 'Consent declined', name: 'outcome', value: 'consent_declined' },
            ],
          },
        ],
      }
    call('POST', `/v1/test_helpers/identity/verification_sessions/${session.id}/submit`, { outcome: sent?.outcome })
    const to = textOf(session.return_url)
    return to === '' ? { title: 'Thank you', parts: [{ status: 'Your information was submitted.' }] } : { to }
  })

/** Verification sessions of Identity. */
export const identity = {
  'POST /v1/identity/verification_sessions': createSession,
  'POST /v1/identity/verification_sessions/{session}': updateSession,
  'POST /v1/identity/verification_sessions/{session}/cancel': (context: Context) => {
    const { id } = mustWait(context, 'cancel')
    return context.records.verification_sessions.update(id, { status: 'canceled', client_secret: null, url: null })
  },
  'POST /v1/identity/verification_sessions/{session}/redact': redact,
  'POST /v1/test_helpers/identity/verification_sessions/{session}/submit': submit,
  settleSession,
}
