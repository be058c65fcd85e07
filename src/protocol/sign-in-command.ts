import * as z from 'zod'

// A file of its own: the service loads `sign-in.ts` at its start, and these schemas are made at once.
const text = z.string().min(1).max(500)

/** What a test asks of a sign-in, without its pages. `user`: an email address, a login or an id. */
export const signInCommand = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('token'),
    user: text,
    client: text.default('test'),
    scopes: z.array(text).max(200).exactOptional(),
    audience: text.exactOptional(),
  }),
  /** Signs every browser in, without pages; `manual` ends it. */
  z.strictObject({ do: z.literal('automatic'), user: text }),
  z.strictObject({ do: z.literal('manual') }),
  z.strictObject({ do: z.literal('cookie'), user: text }),
  z.strictObject({ do: z.literal('rotate-keys') }),
])
export type SignInCommand = z.output<typeof signInCommand>

/** The outcome of a {@link SignInCommand}: tokens, or the cookie of a signed-in browser. */
export const signInOutcome = z.object({
  tokens: z.record(z.string(), z.json()).optional(),
  cookie: z.object({ name: z.string(), value: z.string(), path: z.string() }).optional(),
})
export type SignInOutcome = z.infer<typeof signInOutcome>
