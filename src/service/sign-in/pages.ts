import type { PageButton, PagePart } from '../../protocol/page.ts'
import { writePage } from '../pages/page.ts'
import type { SignInAnswer } from './sign-in-call.ts'

export const problemPage = (message: string, status = 400): SignInAnswer =>
  writePage({ title: 'Sign-in failed', parts: [{ alert: message }], status })

export const resultPage = (title: string, message: string, headers: Record<string, string> = {}): SignInAnswer =>
  writePage({ title, parts: [{ status: message }] }, { headers })

const CANCEL: PagePart = { form: [{ button: 'Cancel', name: 'cancel' }] }
const CONTINUE: PageButton = { button: 'Continue', main: true }

/** What every page of one sign-in shows. */
export interface PageFacts {
  /** Secret of the interaction, in every form. */
  readonly token: string
  readonly client: string
  readonly provider: string
  readonly problem?: string | undefined
}

const alert = ({ problem }: Pick<PageFacts, 'problem'>): PagePart | undefined =>
  problem === undefined ? undefined : { alert: problem }
const statusOf = ({ problem }: Pick<PageFacts, 'problem'>): number => (problem === undefined ? 200 : 400)

/** The page that asks who signs in. */
export function accountPage(
  facts: PageFacts,
  accounts: readonly { id: string; name: string; email: string }[],
  hint: string,
): SignInAnswer {
  const { token, client, provider } = facts
  const list = accounts.map(({ id, name, email }) => ({ button: name, detail: email, name: 'account', value: id }))
  const parts = [
    `to continue to ${client} with the simulated ${provider}`,
    alert(facts),
    list.length === 0 ? undefined : { form: [{ list, name: 'Accounts' }] },
    { form: [{ field: 'Another email address', name: 'email', value: hint, keys: 'email' } as const, CONTINUE] },
    CANCEL,
  ]
  return writePage({ title: 'Sign in', parts, status: statusOf(facts) }, { token })
}

export function consentPage(
  { token, client, provider }: PageFacts,
  scopes: readonly string[],
  user: { name: string; email: string },
  headers: Record<string, string> = {},
): SignInAnswer {
  const parts = [
    `${client} asks for access to the simulated ${provider} account of ${user.name} (${user.email}).`,
    { list: scopes, name: 'Scopes' },
    { form: [{ button: 'Allow', name: 'allow', main: true }] },
    CANCEL,
  ]
  return writePage({ title: 'Allow access?', parts }, { token, headers })
}

/** The page on which a user enters the code that a device shows. */
export function devicePage(facts: Omit<PageFacts, 'client'>, code: string): SignInAnswer {
  const parts = [
    alert(facts),
    { form: [{ field: 'Code', name: 'user_code', value: code, optional: true } as const, CONTINUE] },
  ]
  return writePage({ title: 'Connect a device', parts, status: statusOf(facts) }, { token: facts.token })
}

/** The page that asks whether to sign out. */
export function logoutPage({ token, provider }: Omit<PageFacts, 'client'>): SignInAnswer {
  const signOut = { form: [{ button: 'Sign out', name: 'allow', main: true }] }
  return writePage(
    { title: 'Sign out?', parts: [`This ends your session with the simulated ${provider}.`, signOut, CANCEL] },
    { token },
  )
}

/** The page that posts an answer to the application (OAuth 2.0 Form Post Response Mode). */
export function postPage(address: string, fields: Readonly<Record<string, string>>): SignInAnswer {
  const form = { form: [CONTINUE], to: address, hidden: fields }
  return writePage({ title: 'Back to the application', parts: [form] }, { sends: true })
}
