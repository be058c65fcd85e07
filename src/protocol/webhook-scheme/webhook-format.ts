import * as z from 'zod'
import { expression } from '../expression-schema.ts'
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

/** When a delivery succeeds, how often it is retried, and when an endpoint is switched off. */
const deliveryTerms = z.strictObject({
  timeoutSeconds: z.number().min(0.1).max(60).default(DELIVERY_DEFAULTS.timeoutSeconds),
  /** Statuses that count as success. */
  success: z.union([z.literal('2xx'), z.array(status).min(1).max(20)]).default(DELIVERY_DEFAULTS.success),
  /** The delay before each attempt after the first, counted from the previous failure. */
  retrySeconds: z.array(seconds).max(100).default(DELIVERY_DEFAULTS.retrySeconds),
  /** Statuses after which there is no retry. */
  finalStatus: z.array(status).max(100).default(DELIVERY_DEFAULTS.finalStatus),
  /** Number of consecutive failed deliveries that switches an endpoint off; null for never. */
  offAfter: z.int().min(1).max(10_000).nullable().default(DELIVERY_DEFAULTS.offAfter),
  /** Statuses that switch an endpoint off at once. */
  offStatus: z.array(status).max(20).default(DELIVERY_DEFAULTS.offStatus),
})
export type DeliveryTerms = z.output<typeof deliveryTerms>

/** A request to an endpoint before it gets events, and the answer that it must give. */
const handshake = z.strictObject({
  /** Its event type in lists of deliveries. */
  type: eventType,
  /** @default an empty object */
  body: expression.exactOptional(),
  /** `{challenge}` stands for the challenge. */
  headers: z.record(z.string().regex(/^[\w-]{1,100}$/, 'the name of a header'), z.string().max(500)).exactOptional(),
  /** `secret`: the challenge is the webhook's own secret. @default a random text */
  challenge: z.literal('secret').exactOptional(),
  /** Only endpoints of one of these types of events get it. @default all */
  events: z.array(eventType).min(1).max(20).exactOptional(),
  /** Where the answer must repeat the challenge: in its body, in a header, or nowhere; or fields that its JSON must have. */
  echo: z.union([
    z.enum(['body', 'none']),
    z.strictObject({ header: z.string().regex(/^[\w-]{1,100}$/) }),
    z.strictObject({ fields: z.record(z.string().min(1), z.json()) }),
  ]),
})
export type HandshakeTerms = z.output<typeof handshake>

/** What the body of an endpoint's answer does: it is sent to an operation of the simulation. */
const answerRow = z.strictObject({
  types: z.array(eventType).min(1).max(20),
  /** `{payload.id}` is a field of the event's body. */
  to: z.string().regex(/^(?:POST|PUT|PATCH) \/\S*$/, 'a method and a path, such as POST /replies/{id}'),
  /** Only a body with this text. @default any */
  containing: z.string().min(1).max(100).exactOptional(),
  /** A body that is not JSON is sent as this field of an object. */
  wraps: z.string().min(1).max(100).exactOptional(),
  /** The body for an answer without one. @default nothing is sent */
  empty: z.string().min(1).max(100).exactOptional(),
  /** Whether the row is for failed attempts, and not for others. */
  failed: z.literal(true).exactOptional(),
})

/** Which changes make which events. */
const eventRow = z
  .strictObject({
    on: z
      .string()
      .regex(
        /^(?:\*|[^.\s]+\.(?:created|updated|deleted|\*))$/,
        '`<collection>.created`, `.updated`, `.deleted`, `<collection>.*` or `*`',
      ),
    /** Values that the change gave to the record. */
    becomes: z.record(z.string().min(1), z.json()).exactOptional(),
    /** Values that the record has after the change. */
    is: z.record(z.string().min(1), z.json()).exactOptional(),
    /** An update changed at least one of these fields, or a new record has at least one. */
    changes: z.array(z.string().min(1)).min(1).max(50).exactOptional(),
    type: eventType.exactOptional(),
    types: z.array(eventType).min(1).max(20).exactOptional(),
    /** The body of these events, in place of the format's envelope. */
    envelope: expression.exactOptional(),
    /** Fields of the record as they were at this step of its change, where one request takes several steps. */
    shows: z.record(z.string().min(1), expression).exactOptional(),
    /** They come after the request's other events, in the order of these rows. Needs `log`. */
    last: z.literal(true).exactOptional(),
    /** Their bodies are forms, in a format of JSON. */
    contentType: z.literal('form').exactOptional(),
  })
  .refine(({ type, types }) => (type === undefined) !== (types === undefined), 'a row with either `type` or `types`')
export type EventRow = z.output<typeof eventRow>

/** A provider's webhooks: signatures, bodies, and the handling of failures. */
export const webhookFormat = z.strictObject({
  scheme: webhookScheme,
  envelope: expression.exactOptional(),
  events: z.array(eventRow).max(1_000).exactOptional(),
  delivery: deliveryTerms.default(deliveryTerms.parse({})),
  handshake: handshake.exactOptional(),
  answers: z.array(answerRow).max(20).exactOptional(),
  /** The collection of events that the API shows. */
  log: z.string().min(1).max(200).exactOptional(),
  /** The collection of webhooks that the API registers, and the names of their fields. */
  registration: z
    .strictObject({
      collection: z.string().min(1).max(200),
      url: z.string().min(1),
      events: z.string().min(1),
      secret: z.string().min(1),
      /** The field of the method: by `GET`, the form of the body is sent as the query. */
      method: z.string().min(1).exactOptional(),
      /** Values of a record whose webhook is active. */
      active: z.record(z.string().min(1), z.json()),
      /** Fields that must be equal: a field of the event's subject, if it has a value, and a field of the webhook's record. */
      within: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
      /** The field that says whether a webhook gets events of accounts that are apart, instead of the others. */
      ofAccounts: z.string().min(1).exactOptional(),
      /** Whether `issues` in a record's list of events stands for each `issues.<action>`. */
      families: z.literal(true).exactOptional(),
      /** A record with an unreachable address is kept but is no webhook; it is not refused. */
      unreachable: z.literal('skip').exactOptional(),
      /** Event types that each webhook gets, even where it does not name them. */
      always: z.array(eventType).max(20).exactOptional(),
    })
    .exactOptional(),
})
export type WebhookFormat = z.output<typeof webhookFormat>
/** A {@link WebhookFormat} as an author writes it. */
export type NewWebhookFormat = z.input<typeof webhookFormat>
