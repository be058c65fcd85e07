import { resolve } from 'node:path'
import * as z from 'zod'
import { checkDocument, readDocument } from './entry-document.ts'

const value = z.json()

/** One step of `verify.yaml`. */
const proofStep = z.union([
  z.strictObject({
    /** A method of the client from `client.mjs`: `customers.create`, or `messages($sms.sid).fetch`. */
    call: z.string().regex(/^[\w$]+(?:\([^()]*\))?(?:\.[\w$]+(?:\([^()]*\))?)*$/, 'a method such as customers.create'),
    with: z.array(value).max(20).exactOptional(),
    expect: value.exactOptional(),
    /** Expected fields of the call's error. */
    throws: z.record(z.string(), value).exactOptional(),
    save: z.string().min(1).exactOptional(),
  }),
  z.strictObject({
    /** A request: `POST /jars`. */
    send: z.string().regex(/^[A-Z]+ \/\S*$/, 'a method and a path, such as POST /jars'),
    body: value.exactOptional(),
    status: z.int().min(100).max(599).exactOptional(),
    expect: value.exactOptional(),
    save: z.string().min(1).exactOptional(),
  }),
  z.strictObject({ forward: z.partialRecord(z.enum(['hours', 'days', 'minutes']), z.number().positive()) }),
  /** Scripts of what a language model answers. */
  z.strictObject({ reply: z.array(z.record(z.string(), value)).min(1).max(100) }),
  z.strictObject({ webhooks: z.array(z.string().min(1)).min(1).max(100) }),
])
export type ProofStep = z.output<typeof proofStep>

/** `verify.yaml`: the steps that prove an entry, in order. */
const proofFile = z.strictObject({ steps: z.array(proofStep).min(1).max(2_000) })

/** The steps of a folder's `verify.yaml`; undefined without one. Rejects with file and line for an invalid step. */
export async function readProof(folder: string): Promise<readonly ProofStep[] | undefined> {
  const document = await readDocument(resolve(folder), 'verify')
  if (document === undefined) return undefined
  await checkDocument(proofFile, document)
  return proofFile.parse(document.content).steps
}
