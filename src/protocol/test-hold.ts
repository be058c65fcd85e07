import * as z from 'zod'
import { queryNumber } from './reads.ts'

/** Longest wait of `GET .../hold`, in milliseconds. */
const WAIT_MS = 20_000

/** `POST .../hold` (ours): holds a test, so that a person can look at its simulation. */
export const holdRequest = z.object({
  /** The test's name in the dashboard. */
  test: z.string().max(500).exactOptional(),
})

/** Query of `GET .../hold`: how long the answer waits for the end of the hold. */
export const holdQuery = z.object({ timeoutMs: queryNumber(0, WAIT_MS).default(0) })

/** Whether a test is held. A hold ends with `DELETE .../hold`, or a minute after the last request that read it. */
export const testHold = z.object({ held: z.boolean(), test: z.string().nullable() })
export type TestHold = z.infer<typeof testHold>

/** The answer to `POST .../hold`: with the address of the dashboard, and a code for one sign-in with the rights of this call's key. */
export const begunHold = testHold.extend({ dashboard: z.string() })
