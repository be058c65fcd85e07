import type { SentRequest } from '../../webhooks/sent-requests.ts'

/** Bytes of what the attempts of one delivery have sent and were answered; more is not kept. */
const MOST_BYTES = 64 * 1024

/** A request of a delivery as it is kept: bytes as base64. */
export interface KeptSent extends Omit<SentRequest, 'rawBody' | 'answer'> {
  readonly rawBody: string
  readonly answer?: {
    readonly headers: NonNullable<SentRequest['answer']>['headers']
    readonly body: string
    readonly bytes: number
  }
}

/** What a delivery has sent, as it is kept; undefined where that is nothing, or too much. */
export function toKeptSent(sent: readonly SentRequest[]): KeptSent[] | undefined {
  const bytes = sent.reduce((sum, { rawBody, answer }) => sum + rawBody.length + (answer?.bytes ?? 0), 0)
  if (sent.length === 0 || bytes > MOST_BYTES) return undefined
  return sent.map(({ rawBody, answer, ...request }) => ({
    ...request,
    rawBody: Buffer.from(rawBody).toString('base64'),
    ...(answer !== undefined && {
      answer: { headers: answer.headers, body: Buffer.concat(answer.chunks).toString('base64'), bytes: answer.bytes },
    }),
  }))
}

export const fromKeptSent = ({ rawBody, answer, ...request }: KeptSent): SentRequest => ({
  ...request,
  rawBody: Buffer.from(rawBody, 'base64'),
  answer: answer && {
    headers: answer.headers,
    chunks: [Buffer.from(answer.body, 'base64')],
    bytes: answer.bytes,
  },
})
