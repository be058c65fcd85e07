import type { Json, JsonObject } from '../../protocol/json.ts'
import type { SignInAnswer, SignInCall } from './sign-in-call.ts'

const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export const answerJson = (
  body: JsonObject,
  status = 200,
  headers: Record<string, string> = NO_STORE,
): SignInAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

/** An error of RFC 6749, 5.2, with the provider's code, status and form. @param code of the standard, with a cause: `invalid_grant.code` */
export function refuse(
  call: SignInCall,
  code: string,
  description: string,
  status = 400,
  headers: Record<string, string> = {},
): SignInAnswer {
  const { answers } = call.signIn
  const own = errorOf(call, code, description)
  const body: JsonObject = { error: own.error, error_description: own.description ?? description }
  const [standard = '', cause = ''] = code.split('.')
  writeInto(call, body, answers.error, {
    error: { ...body, code: standard, cause, description: own.description ?? '' },
  })
  return writeFields(call, body, answers.status ?? own.status ?? status, headers)
}

/** The provider's own words for an error. */
export function errorOf({ signIn }: SignInCall, code: string, ours?: string) {
  const { codes } = signIn.answers
  const [standard = ''] = code.split('.')
  const found = codes[code] ?? codes[standard] ?? {}
  const words: Exclude<typeof found, string> = typeof found === 'string' ? { error: found } : found
  const { error = standard, description = ours, ...own } = words
  return { ...own, error, description: description?.replace('{description}', ours ?? '') }
}

/** Writes evaluated fields into an answer; null takes one away. */
export function writeInto(
  call: SignInCall,
  body: JsonObject,
  fields: Readonly<Record<string, Json>>,
  names: Readonly<Record<string, Json>>,
): void {
  for (const [name, expression] of Object.entries(fields)) {
    const value = call.evaluate(expression, names)
    if (value === undefined || value === null) delete body[name]
    else body[name] = value
  }
}

/** Fields as JSON, or as a form where the provider answers so. */
export function writeFields(
  call: SignInCall,
  body: JsonObject,
  status = 200,
  headers: Record<string, string> = {},
): SignInAnswer {
  const isForm = call.signIn.answers.token === 'form' && !/json/.test(call.headers.accept ?? '')
  if (!isForm) return answerJson(body, status, { ...NO_STORE, ...headers })
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
  const type = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
  return { status, headers: { ...type, ...NO_STORE, ...headers }, body: new URLSearchParams(pairs).toString() }
}
