import * as z from 'zod'
import { loggedMessage } from './reads.ts'

/** `POST .../try` (ours): a request of the owner to the simulated API, which needs no key. */
export const tryRequest = z.object({
  method: z.string().regex(/^[A-Za-z]{1,20}$/, 'an HTTP method'),
  /** Path and query, below the address of the simulation. */
  path: z
    .string()
    .max(8_000)
    .regex(/^\/[^\s#]*$/, 'a path that starts with `/`, percent-encoded'),
  headers: z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/), z.string().max(8_000)).default({}),
  body: z.string().optional(),
})
export type TryRequest = z.output<typeof tryRequest>

/** What a tried request was answered. */
export const triedRequest = z.object({
  /** Its entry in the log. */
  requestId: z.string(),
  status: z.int(),
  response: loggedMessage,
  /** How long response rules would have delayed the answer, in milliseconds. */
  delayMs: z.number(),
  /** The connection fault that a response rule would have caused, or null. */
  fault: z.enum(['reset', 'close', 'hold', 'raw', 'slow']).nullable(),
})
export type TriedRequest = z.infer<typeof triedRequest>
