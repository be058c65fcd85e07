import { signal } from '@preact/signals'
import { report } from './report.ts'
import { ServiceError, SIGNED_OUT, sendJson } from './service.ts'

/** The signed-in session. */
interface SignedIn {
  readonly account: string
  readonly canWrite: boolean
  /** The page's address as seen by the service. */
  readonly address: string
}

/** The session of this page: `unknown` before the service answers, `none` when the user is not signed in. */
export const session = signal<SignedIn | 'unknown' | 'none'>(
  report === undefined ? 'unknown' : { account: 'report', canWrite: false, address: '' },
)

/** Why the last sign-in failed, in the words of the service. */
export const signInError = signal<string | undefined>(undefined)

// Signed out in another tab, by the end of the key, or after twelve hours.
addEventListener(SIGNED_OUT, () => {
  if (typeof session.value !== 'object') return
  session.value = 'none'
  signInError.value = 'The session has ended. Sign in again to go on here.'
})

/** Whether the session's key may change anything. */
export const mayWrite = (): boolean => typeof session.value === 'object' && session.value.canWrite

/** Exchanges the code in the address for a session, or finds the open one. A report has none. */
export async function openSession(): Promise<void> {
  if (report !== undefined) return
  const url = new URL(location.href)
  const code = url.searchParams.get('code')
  if (code !== null) {
    url.searchParams.delete('code')
    history.replaceState(null, '', url)
    await signIn({ code })
    if (typeof session.value === 'object') return
  }
  try {
    session.value = await sendJson<SignedIn>('GET', '/ui/session')
    signInError.value = undefined
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401) signInError.value = error.message
    session.value = 'none'
  }
}

export async function signIn(credential: { code: string } | { key: string }): Promise<void> {
  try {
    session.value = await sendJson<SignedIn>('POST', '/ui/session', credential)
    signInError.value = undefined
  } catch (error) {
    signInError.value = error instanceof Error ? error.message : String(error)
    session.value = 'none'
  }
}

export async function signOut(): Promise<void> {
  await sendJson('DELETE', '/ui/session')
  session.value = 'none'
}
