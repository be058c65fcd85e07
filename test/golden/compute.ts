import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listEntries, loadEntry } from '../../src/library/built-in-entries.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { toText } from '../../src/service/simulated-api/exchange.ts'
import { ENGINE } from '../../src/service/simulation/origin/simulation-init.ts'
import { World } from '../../src/service/world/world.ts'
import { DESCRIPTIONS, hasDescriptions } from '../descriptions.ts'
import { createCore, run, START, toCommand } from '../simulation/core-session.ts'

/** What an engine makes: hashes of records by library entry and description, and of the answers to a script of commands. */
export interface Golden {
  readonly engine: number
  readonly library: Readonly<Record<string, string>>
  /** Undefined where the descriptions are not beside the project. */
  readonly descriptions: Readonly<Record<string, string>> | undefined
  readonly commands: string
}

/** Descriptions of every dialect, size and style. */
const FILES = [
  'adyen-management-v3.json',
  'airflow.json',
  'discourse.json',
  'gitea.json',
  'intercom-2.15.yaml',
  'launchdarkly.json',
  'lob.yaml',
  'netbox.json',
  'oai-petstore-expanded-2.0.json',
  'oai-tags-3.2.yaml',
  'paypal-orders.json',
  'petstore3.yaml',
  'realworld-conduit.yaml',
  'resend.yaml',
  'sendgrid-templates.json',
  'slack.json',
  'spree-store.yaml',
  'svix.json',
  'twilio-conversations.json',
  'xero-projects.yaml',
]

/** One command of each kind that changes something, in an order in which each has an effect. */
const SCRIPT = [
  'create',
  'issue-key',
  'webhook',
  'fast-forward',
  'update',
  'list',
  'set-rule',
  'create',
  'limit',
  'list',
  'set-access',
  'remove-rule',
  'webhook-fault',
  'set-behaviour',
  'fast-forward',
  'delete',
  'restore',
  'pause',
  'list',
  'resume',
  'tick',
  'reset',
  'create',
  'list',
  'fast-forward',
]

/** What the engine of the working tree makes. */
export async function computeGolden(): Promise<Golden> {
  const library: Record<string, string> = {}
  for (const { slug } of await listEntries()) {
    const entry = await loadEntry(slug)
    if (entry !== undefined) library[slug] = hashRecords(readDescription(entry.openapi), entry.volume)
  }
  return { engine: ENGINE, library, descriptions: await hashDescriptions(), commands: hashCommands() }
}

async function hashDescriptions(): Promise<Record<string, string> | undefined> {
  if (!hasDescriptions) return undefined
  const hashes: Record<string, string> = {}
  for (const file of FILES) {
    const document = await parseDescription(readFileSync(join(DESCRIPTIONS, file), 'utf8'))
    hashes[file] = hashRecords(readDescription(document))
  }
  return hashes
}

/** The records of all collections, as they are generated. */
function hashRecords(model: ApiModel, volume: Record<string, number> = {}): string {
  const world = new World(model, createDataset(model, { seed: 'golden', epoch: START, volume, seedRecords: {} }))
  const hash = createHash('sha256')
  for (const { name } of model.collections) {
    const view = world.collection(name)
    for (const { key, record } of view.select({}).records) {
      hash.update(JSON.stringify([name, key, view.scopeOf(key), record]))
    }
  }
  return hash.digest('hex').slice(0, 32)
}

/** An answer with its body as text, be it that or bytes. */
function withText(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const held = this[name]
  return name === 'body' && held instanceof Uint8Array ? toText(held) : value
}

/** The answers, events and final state of the script, run three times over with other numbers. */
function hashCommands(): string {
  const core = createCore()
  const hash = createHash('sha256')
  for (let step = 0; step < 3 * SCRIPT.length; step++) {
    const draft = { kind: SCRIPT[step % SCRIPT.length] as string, number: step * 7, text: `text ${step}` }
    hash.update(JSON.stringify(run(core, toCommand(core, draft, START + step * 60_000)) ?? null, withText))
    hash.update(JSON.stringify(core.events()))
  }
  return hash.update(JSON.stringify(core.dump())).digest('hex').slice(0, 32)
}
