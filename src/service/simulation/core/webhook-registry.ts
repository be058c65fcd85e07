import { ApiError, invalidRequest } from '../../../protocol/errors.ts'
import { hasFields, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { RequestSigner } from '../../../protocol/webhook-scheme/request-signer.ts'
import type { ErrorFacts } from '../../simulated-api/presentation/error-rows.ts'
import type { ApiWebhooks } from '../../webhooks/event-forms.ts'
import { tooManyWebhooks, type WebhookSetting, type WebhookSettings } from '../../webhooks/webhook-settings.ts'
import { parseWebhookUrl } from '../../webhooks/webhook-target.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'
import type { CoreOptions } from './core-options.ts'
import type { SettingsDelta } from './core-state.ts'

type Format = ApiWebhooks['format']
type Registration = NonNullable<Format['registration']>
type RegistryOptions = Pick<CoreOptions, 'apiWebhooks' | 'hasPrivateWebhooks' | 'maxWebhooks'>

/** Undefined for an API without own registration of webhooks. */
export function openRegistry(options: RegistryOptions, webhooks: WebhookSettings): WebhookRegistry | undefined {
  const { format } = options.apiWebhooks ?? {}
  const { registration } = format ?? {}
  return format && registration && new WebhookRegistry(format, registration, webhooks, options)
}

/** Webhooks that are records of the simulated API, registered by its clients or the owner. */
export class WebhookRegistry {
  readonly #format: Format
  readonly #registration: Registration
  readonly #webhooks: WebhookSettings
  readonly #hasPrivate: boolean
  readonly #most: number

  constructor(
    format: Format,
    registration: Registration,
    webhooks: WebhookSettings,
    { hasPrivateWebhooks = false, maxWebhooks = Number.POSITIVE_INFINITY }: RegistryOptions,
  ) {
    this.#format = format
    this.#registration = registration
    this.#webhooks = webhooks
    this.#hasPrivate = hasPrivateWebhooks
    this.#most = maxWebhooks
  }

  /** Checks changes by the owner, as the API's own; where unreachable webhooks are skipped, none is an error. */
  check(changes: readonly Change[]): void {
    if (this.#registration.unreachable !== 'skip') this.#check(changes)
  }

  /** Throws `invalid_request` for a change that makes a webhook's record invalid, `plan_limit` for one webhook too many. */
  #check(changes: readonly Change[]): void {
    let added = 0
    for (const change of changes) {
      if (!this.#isOurs(change) || change.type === 'deleted') continue
      this.#read(change.key, change.record)
      if (this.#webhooks.find(change.key) === undefined) added++
    }
    if (added > 0 && this.#webhooks.count + added > this.#most) throw tooManyWebhooks(this.#most)
  }

  /** Why changed records with an address are no webhooks, where such records are kept. */
  skippedOf(changes: readonly Change[]): string[] {
    const { collection, unreachable, url } = this.#registration
    if (unreachable === undefined) return []
    return changes.flatMap((change) => {
      if (!this.#isOurs(change) || change.type === 'deleted') return []
      if (readField(change.record, url.split('.')) === undefined) return []
      const fault = this.#judge([change])?.message?.replace('`url`', `\`${url}\``)
      return fault === undefined ? [] : [`Failed to send webhooks to "${change.key}" of ${collection}: ${fault}`]
    })
  }

  /** The same of all records. */
  skippedIn(world: World): string[] {
    const { collection } = this.#registration
    const { records } = world.collection(collection).select({})
    return this.skippedOf(records.map(({ key, record }) => ({ type: 'updated', collection, key, record })))
  }

  /** The same error for an answer of the API. */
  faultOf(changes: readonly Change[]): ErrorFacts | undefined {
    return this.#registration.unreachable === 'skip' ? undefined : this.#judge(changes)
  }

  #judge(changes: readonly Change[]): ErrorFacts | undefined {
    try {
      this.#check(changes)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, code, message } = error
      if (code === 'plan_limit') return { status: 400, code, message }
      const facts = { fault: 'value', expected: 'a public https URL' }
      return { status, code, message, field: this.#registration.url, facts }
    }
  }

  /**
   * Creates, changes or removes a webhook after a change of its record. Records of the plan make none: an invented
   * address must get no deliveries.
   */
  follow(change: Change, world: World, isOfPlan: boolean): void {
    if (!this.#isOurs(change)) return
    const { key } = change
    const known = this.#webhooks.find(key)
    if (known === undefined ? isOfPlan : known.isRecord !== true) return
    const record = world.collection(change.collection).get(key)
    const isJudged = isOfPlan || this.#registration.unreachable === 'skip'
    if (record === undefined || (isJudged && this.#judge([change]) !== undefined)) {
      if (known !== undefined) this.#webhooks.remove(key)
      return
    }
    this.#webhooks.add(this.#read(key, record))
    if (this.#isOn(record)) this.#webhooks.enable(key)
    else this.#webhooks.disable(key)
  }

  /** Creates the webhooks of seed records, of a sign-in alone: elsewhere they may be generated. */
  adopt(world: World): void {
    const { collection } = this.#registration
    const view = world.collection(collection)
    if (view.model.isApart === undefined) return
    for (const { key, record } of view.select({}).records)
      this.follow({ type: 'updated', collection, key, record }, world, false)
  }

  /** The change that removes the record of a webhook; undefined for others. */
  removalOf(id: string, world: World): Change | undefined {
    const { collection } = this.#registration
    const isRecord = this.#webhooks.find(id)?.isRecord === true && world.collection(collection).has(id)
    return isRecord ? { type: 'deleted', collection, key: id } : undefined
  }

  /** Removes the webhooks that are records, at a reset of the data. */
  clear(): void {
    for (const { id, isRecord } of this.#webhooks.list()) if (isRecord) this.#webhooks.remove(id)
  }

  /** Restores the webhooks that are records of the restored data. */
  restore({ webhooks, webhooksOff }: Pick<Required<SettingsDelta>, 'webhooks' | 'webhooksOff'>): void {
    this.clear()
    const off = new Set(webhooksOff.map(([id]) => id))
    for (const [id, webhook] of webhooks) {
      if (webhook?.isRecord !== true) continue
      this.#webhooks.add(webhook)
      if (off.has(id)) this.#webhooks.disable(id)
    }
  }

  #isOurs(change: Change): change is Extract<Change, { readonly collection: string }> {
    return 'collection' in change && change.collection === this.#registration.collection
  }

  /** Throws `invalid_request`. Each connection checks the address again. */
  #read(id: string, record: JsonObject): WebhookSetting {
    const {
      url: urlField,
      events: eventsField,
      secret: secretField,
      within = {},
      ofAccounts,
      method = '',
    } = this.#registration
    const read = (field: string) => readField(record, field.split('.'))
    const url = String(read(urlField))
    parseWebhookUrl(url, { hasPrivate: this.#hasPrivate })
    const secret = String(read(secretField) ?? '')
    const accounts = ofAccounts === undefined ? {} : { ofAccounts: read(ofAccounts) === true }
    const how = read(method) === 'GET' ? { isGet: true as const } : {}
    const events = this.#eventsIn(read(eventsField))
    checkSecret(this.#format, secret, secretField)
    const shared = Object.entries(within).map(([field, own]) => [field, read(own) ?? null])
    const bounds = shared.length === 0 ? {} : { within: Object.fromEntries(shared) as JsonObject }
    return { id, url, events, secret, scheme: 'entry', isRecord: true, ...bounds, ...accounts, ...how }
  }

  /** A record's event types, as filters. */
  #eventsIn(wanted: Json | undefined): string[] {
    const { families = false, always = [] } = this.#registration
    const named = Array.isArray(wanted) ? wanted.map(String) : always.length > 0 ? [] : ['*']
    const filters = families ? named.flatMap((name) => (name === '*' ? name : [name, `${name}.*`])) : named
    return [...new Set([...filters, ...always])]
  }

  #isOn(record: JsonObject): boolean {
    return hasFields(record, this.#registration.active)
  }
}

function checkSecret({ scheme }: Format, secret: string, field: string): void {
  try {
    if (secret === '') throw new TypeError('it is empty')
    new RequestSigner(scheme, secret)
  } catch (cause) {
    const fact = cause instanceof Error ? cause.message : String(cause)
    throw invalidRequest(`Expected \`${field}\` to be a secret that deliveries can be signed with: ${fact}.`, cause)
  }
}
