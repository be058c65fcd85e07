import * as z from 'zod'
import { expression } from '../expression.ts'
import { DELIVERY_DEFAULTS } from './defaults.ts'
import { webhookScheme } from './scheme.ts'

const seconds = z
  .number()
  .min(0)
  .max(30 * 24 * 3_600)
const status = z.int().min(100).max(599)
const eventType = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^*\s\p{Cc}]+$/u, 'a type of event without blanks')

/** What a delivery needs to count as taken, how often it is tried, and when an endpoint is switched off. */
const deliveryTerms = z.strictObject({
  timeoutSeconds: z.number().min(0.1).max(60).default(DELIVERY_DEFAULTS.timeoutSeconds),
  /** Statuses that acknowledge. */
  success: z.union([z.literal('2xx'), z.array(status).min(1).max(20)]).default(DELIVERY_DEFAULTS.success),
  /** The wait before each attempt after the first, counted from the previous failure. */
  retrySeconds: z.array(seconds).max(100).default(DELIVERY_DEFAULTS.retrySeconds),
  /** Statuses after which nothing is tried again. */
  finalStatus: z.array(status).max(100).default(DELIVERY_DEFAULTS.finalStatus),
  /** Failed deliveries in a row that switch an endpoint off; null for never. */
  offAfter: z.int().min(1).max(10_000).nullable().default(DELIVERY_DEFAULTS.offAfter),
  /** Statuses that switch an endpoint off at once. */
  offStatus: z.array(status).max(20).default(DELIVERY_DEFAULTS.offStatus),
})
export type DeliveryTerms = z.output<typeof deliveryTerms>

/** What is sent to an endpoint before it gets events, and how it has to answer. */
const handshake = z.strictObject({
  /** What lists of deliveries call it. */
  type: eventType,
  /** @default an empty object */
  body: expression.exactOptional(),
  /** `{challenge}` stands for the challenge. */
  headers: z.record(z.string().regex(/^[\w-]{1,100}$/, 'the name of a header'), z.string().max(500)).exactOptional(),
  /** The webhook's own secret is the challenge. @default a random text */
  challenge: z.literal('secret').exactOptional(),
  /** Where the answer has to repeat the challenge: in its body, in a header, or nowhere. */
  echo: z.union([z.enum(['body', 'none']), z.strictObject({ header: z.string().regex(/^[\w-]{1,100}$/) })]),
})
export type HandshakeTerms = z.output<typeof handshake>

/** Which change makes which events. */
const eventRow = z
  .strictObject({
    on: z
      .string()
      .regex(
        /^(?:\*|[^.\s]+\.(?:created|updated|deleted|\*))$/,
        '`<collection>.created`, `.updated`, `.deleted`, `<collection>.*` or `*`',
      ),
    /** Values that the record has now and had not before. */
    becomes: z.record(z.string().min(1), z.json()).exactOptional(),
    /** Values that the record has now. */
    is: z.record(z.string().min(1), z.json()).exactOptional(),
    /** Fields of which one is another than before an update, or is there in a new record. */
    changes: z.array(z.string().min(1)).min(1).max(50).exactOptional(),
    type: eventType.exactOptional(),
    types: z.array(eventType).min(1).max(20).exactOptional(),
    /** What these events say, in place of the dialect's envelope. */
    envelope: expression.exactOptional(),
  })
  .refine(({ type, types }) => (type === undefined) !== (types === undefined), 'a row with either `type` or `types`')
export type EventRow = z.output<typeof eventRow>

/** How a provider speaks webhooks: how they are signed, what they say, and what becomes of those that fail. */
export const webhookDialect = z.strictObject({
  scheme: webhookScheme,
  envelope: expression.exactOptional(),
  events: z.array(eventRow).max(1_000).exactOptional(),
  delivery: deliveryTerms.default(deliveryTerms.parse({})),
  handshake: handshake.exactOptional(),
  /** The collection whose records are the events, as the API shows them. */
  log: z.string().min(1).max(200).exactOptional(),
  /** The collection whose records are webhooks, and what their fields are called. */
  registration: z
    .strictObject({
      collection: z.string().min(1).max(200),
      url: z.string().min(1),
      events: z.string().min(1),
      secret: z.string().min(1),
      /** Values of a record whose webhook is on. */
      active: z.record(z.string().min(1), z.json()),
      /** By field of what an event is about, the field of the webhook's record that has to be equal, where the former has a value. */
      within: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
      /** Whether `issues` among the events of a record stands for each `issues.<action>`. */
      families: z.literal(true).exactOptional(),
      /** A record with an address that no delivery may reach is kept and is no webhook, in place of a refusal. */
      unreachable: z.literal('skip').exactOptional(),
      /** Types of events that each webhook gets, named or not. */
      always: z.array(eventType).max(20).exactOptional(),
    })
    .exactOptional(),
})
export type WebhookDialect = z.output<typeof webhookDialect>
/** A {@link WebhookDialect} as an author writes it. */
export type NewWebhookDialect = z.input<typeof webhookDialect>
