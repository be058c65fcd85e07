import type { ModelReply, OperationContext, StreamEvent, StreamOptions } from '../../src/handlers.ts'
import { merged } from '../shared/merged.ts'
import type { Fields } from '../shared/values.ts'
import type { Context } from './context.ts'
import { isAzure } from './models.ts'

/** The type of an error by its status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'requests',
  500: 'server_error',
  503: 'server_error',
}

/** An error of a spent quota names itself twice. */
const typeOf = ({ status, code, type }: NonNullable<ModelReply['error']>): string =>
  type ?? (code === 'insufficient_quota' ? code : (TYPES[status] ?? 'invalid_request_error'))

/** Answers the error of a script. */
export function refuseScripted(
  { refuse, path, headers }: Pick<OperationContext, 'refuse' | 'path' | 'headers'>,
  error: ModelReply['error'],
): void {
  if (error === undefined) return
  const { status, code, message } = error
  const type = typeOf(error)
  const isFiltered = code === 'content_filter' && isAzure({ path, headers })
  refuse(status, { code: isFiltered ? code : 'scripted', message, ...{ type, answered: code ?? null } })
}

/** An answer without a text: a script refuses it, or changes it by `set`. @param asked the words of the request */
export function scripted<T>(context: Context, asked: unknown, toAnswer: () => T): T | Fields {
  const messages = [{ role: 'user' as const, text: String(asked) }]
  const { error, set } = context.reply({ model: String(context.body.model ?? ''), messages, textless: true })
  refuseScripted(context, error)
  const answer = toAnswer()
  return set === undefined ? answer : merged(answer as Fields, set)
}

/** Options of a stream by its script. @param toEvent the API's event of the script's error, if it has one */
export function streamOptions(
  { stream: { firstTokenMs, tokensPerSecond, jitter, error, ...faults } }: ModelReply,
  toEvent: (error: object | undefined) => StreamEvent,
): StreamOptions {
  return { ...faults, pace: { firstTokenMs, tokensPerSecond, jitter }, error: toEvent(error) }
}

/** What breaks a stream of this API. */
export const toStreamError = (error: object | undefined): Fields => ({
  message: 'The server had an error processing your request.',
  type: 'server_error',
  code: 'server_error',
  param: null,
  ...error,
})

/** An error as the answer of a batch's line. @param field that is at fault */
export function toFailure(error: NonNullable<ModelReply['error']>, field: string | null = null): Fields {
  const { status, code = null, message } = error
  return { status, error: { message, type: typeOf(error), param: field, code } }
}
