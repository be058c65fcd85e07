import { badRequest } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { getPreset } from '../../protocol/webhook-scheme/presets.ts'
import type { WebhookScheme } from '../../protocol/webhook-scheme/scheme.ts'
import type { WebhookFormat } from '../../protocol/webhook-scheme/webhook-format.ts'
import { type AnnouncedChange, EventForm } from './event-form.ts'
import { EventBody } from './outgoing-delivery.ts'

/** The webhooks of the simulated API itself: of a library entry, or declared in a description. */
export interface ApiWebhooks {
  /** Of the library entry. */
  readonly slug: string | undefined
  readonly format: WebhookFormat
  /** Fields of the entry for its envelope. */
  readonly facts: JsonObject
}

type Choice = string | WebhookScheme | undefined

/**
 * The format of a registration. `entry` and the entry's own slug mean the entry's. Throws `invalid_request` with the
 * nearest name for an unknown one, `bad_request` for `entry` without an entry.
 */
export function chooseFormat(choice: Choice, entry?: ApiWebhooks): WebhookFormat {
  if (typeof choice === 'object') return { ...getPreset('svc'), scheme: choice }
  if (choice !== undefined && entry !== undefined && ['entry', entry.slug].includes(choice)) return entry.format
  if (choice === 'entry')
    throw badRequest(
      'Failed to register a webhook in the scheme `entry`: this simulation has no library entry with a webhooks.yaml, and no description with `webhooks`. Name a scheme, such as standard-webhooks.',
    )
  return getPreset(choice ?? 'svc', ['entry'])
}

/** One form for each format of a simulation's webhooks, and the bodies that webhooks of one form share. */
export class EventForms {
  readonly #entry: ApiWebhooks | undefined
  readonly #forms = new Map<string, EventForm>()
  /** The change of the cached bodies. */
  #change: AnnouncedChange | undefined
  #bodies = new Map<EventForm, Map<string, EventBody>>()
  #count = 0

  constructor(entry: ApiWebhooks | undefined) {
    this.#entry = entry
  }

  formOf({ scheme }: { readonly scheme?: string | WebhookScheme }): EventForm {
    const name = typeof scheme === 'string' ? scheme : JSON.stringify(scheme ?? 'svc')
    const known = this.#forms.get(name)
    if (known !== undefined) return known
    const form = new EventForm(chooseFormat(scheme, this.#entry), this.#entry?.facts)
    this.#forms.set(name, form)
    return form
  }

  /** The body of one event of a change: the same for all webhooks of a form. */
  bodyOf(change: AnnouncedChange, form: EventForm, type: string): EventBody {
    if (change !== this.#change) this.#bodies = new Map()
    this.#change = change
    const ofForm = this.#bodies.get(form) ?? new Map<string, EventBody>()
    this.#bodies.set(form, ofForm)
    const body = ofForm.get(type) ?? new EventBody(change, this.#count++, form, type)
    ofForm.set(type, body)
    return body
  }
}
