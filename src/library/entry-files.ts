import * as z from 'zod'
import { behaviourRequest, behaviourStep } from '../protocol/behaviour.ts'
import { effectSettings, errorRow, headerName, ignoredRow } from '../protocol/entry-rows.ts'
import { HOST_NAME, HOST_PATH } from '../protocol/hosts.ts'
import { LIMITS } from '../protocol/limits.ts'
import { modelFile } from '../protocol/model-file.ts'
import { signInFile } from '../protocol/sign-in.ts'
import { slug, volume } from '../protocol/simulation.ts'
import { PRESET_NAMES } from '../protocol/webhook-scheme/presets.ts'
import { webhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import { webhookFormat } from '../protocol/webhook-scheme/webhook-format.ts'

const line = z.string().min(1).max(300)
const text = z.string().max(2_000)

const keyPrefix = z.string().regex(/^[\w.-]{1,40}$/, '1 to 40 letters, digits, `_`, `-` and dots')

const host = z.string().regex(HOST_NAME, 'a host name in lower case, such as api.acme.test')
const path = z.string().regex(HOST_PATH, "a path such as /files, or ''")
const hosts = z.union([z.array(host).min(1).max(100), z.record(host, path)])

/** Fields of `entry.yaml` besides those that identify the entry. */
const facts = {
  apiVersion: line.exactOptional(),
  sdk: z.strictObject({ npm: line, range: line, headers: z.array(headerName).max(50).exactOptional() }).exactOptional(),
  connect: z.string().min(1).max(1_000).exactOptional(),
  keyPrefix: z.union([keyPrefix, z.array(keyPrefix).min(1).max(10)]).exactOptional(),
  hosts: hosts.exactOptional(),
  env: z.record(z.string().regex(/^[A-Z][A-Z\d_]*$/, 'a name such as ACME_KEY'), line).exactOptional(),
  missing: z.array(line).max(100).exactOptional(),
  ignored: z.array(ignoredRow).max(200).exactOptional(),
}

const entryFile = z.strictObject({
  slug: slug.exactOptional(),
  name: z.string().min(1).max(200).exactOptional(),
  provider: z.string().max(200).exactOptional(),
  vertical: z.string().max(200).exactOptional(),
  description: text.exactOptional(),
  volume: volume.exactOptional(),
  ...facts,
})

const behaviourRules = z
  .array(
    behaviourRequest.shape.rules.element.extend({ steps: z.array(behaviourStep).max(LIMITS.behaviourSteps) }).strict(),
  )
  .max(LIMITS.behaviourRules)
const behaviourFile = z.union([behaviourRules, z.strictObject({ rules: behaviourRules })])

const webhooksFile = webhookFormat
  .extend({ scheme: z.union([z.enum(PRESET_NAMES as [string, ...string[]]), webhookScheme]) })
  .refine(({ events = [], log }) => log !== undefined || events.every(({ last }) => !last), {
    path: ['log'],
    error: 'Expected `log` to be present, got nothing: a row with `last` needs it.',
  })

const errorsFile = z.array(errorRow).max(200)
const records = z.array(z.record(z.string(), z.json())).max(10_000)
const openapiFile = z.record(z.string(), z.unknown())
const signIn = signInFile()

/** The files of an entry's folder, by name without ending, with their schemas. */
export const ENTRY_FILES = {
  entry: entryFile,
  openapi: openapiFile,
  model: modelFile,
  'sign-in': signIn,
  webhooks: webhooksFile,
  effects: effectSettings,
  errors: errorsFile,
  behaviour: behaviourFile,
} as const

/** `seed/<collection>.yaml` */
export const seedFile = records

/** An entry in the form of `startService({ library })`. */
export const wholeEntry = z.strictObject({
  slug,
  name: z.string().min(1),
  provider: z.string(),
  vertical: z.string(),
  description: z.string(),
  openapi: openapiFile,
  behaviour: behaviourRules,
  volume,
  ...facts,
  model: modelFile.exactOptional(),
  signIn: signIn.exactOptional(),
  webhooks: webhooksFile.exactOptional(),
  effects: effectSettings.exactOptional(),
  errors: errorsFile.exactOptional(),
  seed: z.record(z.string(), records).exactOptional(),
  handlers: z.url({ protocol: /^file$/ }).exactOptional(),
})

/** The `entry` of a creation: all fields may be left out. */
export const givenEntry = wholeEntry.omit({ handlers: true }).partial()
