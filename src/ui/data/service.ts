import { answerOf, report } from './report.ts'

/** An error of the service, with its message. */
export class ServiceError extends Error {
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The management API for a session. */
export const API = '/ui/api/v1'

/** How long an early answer is valid before its page opens. */
const EARLY_MS = 5_000
const early = new Map<string, Promise<unknown>>()

/** Requests what a page will need. The page gets the same answer, unless that failed. */
export function askEarly(path: string): void {
  const answer = sendJson('GET', API + path)
  answer.catch(() => {})
  early.set(path, answer)
  setTimeout(() => early.get(path) === answer && early.delete(path), EARLY_MS)
}

/** Calls the management API with the session's rights, or reads the report. @param path below `/v1` */
export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  if (report !== undefined) {
    const answer = method === 'GET' ? answerOf(report, path) : undefined
    if (answer === undefined) throw new ServiceError(404, 'This report does not hold that.')
    return answer as Answer
  }
  const known = method === 'GET' ? early.get(path) : undefined
  if (known === undefined) return callService<Answer>(method, path, body)
  early.delete(path)
  return known.catch(() => callService<Answer>(method, path)) as Promise<Answer>
}

/** Name of the event for the end of the page's session. */
export const SIGNED_OUT = 'backlot-signed-out'

async function callService<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  try {
    return await sendJson<Answer>(method, API + path, body)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) dispatchEvent(new Event(SIGNED_OUT))
    throw error
  }
}

/** Sends JSON and reads JSON. Rejects with a {@link ServiceError}. */
export async function sendJson<Answer>(method: Method, url: string, body?: unknown): Promise<Answer> {
  const init: RequestInit = { method, credentials: 'same-origin' }
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  const answer = await fetch(url, init).catch(() => {
    throw new ServiceError(0, `The service at ${location.host} does not answer.`)
  })
  const text = await answer.text()
  if (answer.ok) return (text === '' ? undefined : JSON.parse(text)) as Answer
  throw new ServiceError(
    answer.status,
    messageOf(text, answer.status),
    Number(answer.headers.get('retry-after')) || undefined,
  )
}

function messageOf(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } }
    if (error?.message !== undefined) return error.message
  } catch {
    // A text that is not JSON is the message.
  }
  return text.slice(0, 500) || `The service answered ${status}.`
}

/** The path of a simulation, below `/v1`. */
export const simulationPath = (slug: string, below = ''): string => `/simulations/${encodeURIComponent(slug)}${below}`
