import { signal } from '@preact/signals'
import { report } from './report.ts'
import { ServiceError, SIGNED_OUT, sendJson } from './service.ts'

/** Who is signed in. */
export interface SignedIn {
  readonly account: string
  readonly canWrite: boolean
  /** From where the service sees this page come. */
  readonly address: string
}

/** The session of this page: `unknown` until the service has answered, `none` where the user is not signed in. */
export const session = signal<SignedIn | 'unknown' | 'none'>(
  report === undefined ? 'unknown' : { account: 'report', canWrite: false, address: '' },
)

/** Why the last sign-in failed, in the words of the service. */
export const signInError = signal<string | undefined>(undefined)

// In another tab, or with its key, or because twelve hours are over.
addEventListener(SIGNED_OUT, () => {
  if (typeof session.value !== 'object') return
  session.value = 'none'
  signInError.value = 'The session has ended. Sign in again to go on here.'
})

/** Whether the key of the session may change anything. */
export const mayWrite = (): boolean => typeof session.value === 'object' && session.value.canWrite

/** Trades the code of the address for a session, or finds the one that is open. A report has none. */
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
