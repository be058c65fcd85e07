import type { Page, SentForm } from '../../src/handlers.ts'
import { type Kept, MINUTE_S, type Operations, textOf, type WorkOSRequest } from './workos.ts'

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** The request of a device, which nobody has answered. */
const waiting = (workos: WorkOSRequest, user_code: string): Kept | undefined => {
  const found = workos.records.grants.find({ user_code: user_code.toUpperCase(), kind: 'device', state: 'pending' })
  return found && !workos.isPast(found.expires_at) ? found : undefined
}

/** Lets a device sign in as the user of an address, or denies it. */
function decide(workos: WorkOSRequest, grant: Kept, { email, state }: { email: string; state: string }): void {
  const address = email.toLowerCase()
  const { users } = workos.records
  const user = users.find({ email: address }) ?? workos.create('users', { email: address, email_verified: true })
  workos.update('grants', grant, { state, user_id: user.id })
}

/** Where a person enters the code that a device shows. */
function answer(workos: WorkOSRequest, sent: SentForm | undefined): Page {
  const title = 'Connect a device'
  const code = String(sent?.user_code ?? workos.query.user_code ?? '')
  if (sent === undefined) {
    const fields = [
      { field: 'Code', name: 'user_code', value: code, example: 'BCDF-GHJK' },
      { field: 'Email', name: 'email', value: 'ada@example.com', keys: 'email' as const },
    ]
    return { title, parts: [{ form: [...fields, { button: 'Allow', main: true }, { button: 'Deny', name: 'deny' }] }] }
  }
  const grant = waiting(workos, code)
  if (grant === undefined) return { title, parts: [{ alert: 'There is no device with this code.' }], status: 400 }
  const state = sent.deny === undefined ? 'approved' : 'denied'
  decide(workos, grant, { email: String(sent.email), state })
  return { title, parts: [{ status: `The device is ${state}. You can close this page.` }] }
}

const page = (workos: WorkOSRequest): object => workos.of.page((sent) => answer(workos, sent))

/** Sign-in of command lines: workos.com/docs/reference/authkit/cli-auth */
export const devices: Operations = {
  'POST /user_management/authorize/device': (workos) => {
    const user_code = `${workos.code(4, LETTERS)}-${workos.code(4, LETTERS)}`
    const expires_in = 5 * MINUTE_S
    const fields = { kind: 'device', state: 'pending', user_code, expires_at: workos.later(expires_in) }
    const { code = '' } = workos.create('grants', { ...fields, code: workos.hex(64) })
    const verification_uri = `${workos.of.origin}/device`
    const verification_uri_complete = `${verification_uri}?user_code=${user_code}`
    return { device_code: code, user_code, verification_uri, verification_uri_complete, expires_in, interval: 5 }
  },
  'GET /device': page,
  'POST /device': page,
  // Only backlot has it.
  'POST /test_helpers/devices/{user_code}': (workos) => {
    const { user_code = '' } = workos.path
    const message = `There is no device with the code '${user_code}'.`
    const grant = waiting(workos, user_code) ?? workos.refuse('device_not_found', message, 404)
    const { email, state } = workos.body
    decide(workos, grant, { email: textOf(email) || 'ada@example.com', state: textOf(state) || 'approved' })
    return { success: true }
  },
}
