import type { Json, JsonObject } from './json.ts'
import type { Page, PageRedirect, SentForm } from './page.ts'
import type { StreamConduct } from './reply.ts'
import type { StreamEvent, StreamOptions } from './stream.ts'

/** Fields of a new record, or of a change: at any depth, others stay or are generated. */
export type FieldsOf<R> = { readonly [Name in keyof R]?: R[Name] | undefined }

/** Equal values by field, or a function of the record. */
export type RecordTest<R> = FieldsOf<R> | ((record: Readonly<R>) => boolean)

/** An id, or a record with one. */
export type RecordId = string | number | null | undefined | object

/** The records of one collection, after the handler's changes so far. Newest first; iterable. Records are read-only. */
export interface HandlerRecords<R extends object> extends Iterable<R> {
  /** The record with this id; undefined without one. */
  get(id: RecordId): R | undefined
  /** The newest matching record. Values are looked up in an index, a function reads record by record. */
  find(test: RecordTest<R>): R | undefined
  where(test: RecordTest<R>): R[]
  some(test: RecordTest<R>): boolean
  /** Number of matching records. @default of all */
  count(test?: RecordTest<R>): number
  /** Creates a record with these fields, and generates the others. */
  create(fields: FieldsOf<R>): R
  /** Sets these fields. */
  update(id: RecordId, fields: FieldsOf<R>): R
  remove(id: RecordId): void
}

/** A file of a request. */
export interface SentFile {
  /** Its field in the form. */
  field: string
  name: string
  type: string | null
  /** Bytes. */
  size: number
  /** Its content; null for a file over 8 MB. */
  base64: string | null
}

/** An error answer, in the form that the description gives errors. */
export interface RefusalText {
  detail?: string | undefined
  message?: string | undefined
  /** @default from the status: `not_found`, `conflict`, `invalid_request` */
  code?: string | undefined
  /** The faulty field, dotted. */
  field?: string | undefined
  /** Whether the changes so far stay, as of a payment that is declined. @default false */
  keeps?: boolean | undefined
}

/** Status, headers and body of an answer. */
export interface WrittenAnswer {
  /** @default that of the operation's success */
  status?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON, a text and bytes as they are; an absent one is empty. */
  body?: unknown
}

/** What another operation answers. */
export interface CallAnswer {
  status: number
  /** Its JSON, of an error too. */
  body: JsonObject
}

/** Which records of a list stay, before its page is cut, and what of a request counts. */
export interface ListNarrowing<R extends object = JsonObject> {
  /** @default all */
  where?(record: Readonly<R>): boolean
  /** Parameters of the query that filter nothing themselves. */
  ignore?: readonly string[]
  /** Of any operation: fields of the body that the API does not get. */
  drop?: readonly string[]
}

/** The types of an operation: the context's fields that depend on it. */
export interface OperationShape {
  path: object
  query: object
  body: unknown
  /** The record that the request names; undefined where it names none. */
  record: unknown
  /** A record of the operation's collection. */
  item: object
  /** The result of `next`. */
  result: unknown
  status: number
}

/** An operation without known types. */
export interface AnyOperation extends OperationShape {
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, Json>>
  body: JsonObject
  record: JsonObject
  item: JsonObject
  result: JsonObject
  status: number
}

/** The collections of an API without known types. */
export type AnyRecords = Readonly<Record<string, JsonObject>>

/** A message of a talk with a language model. */
export interface TalkMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  /** Tools that an assistant's message calls. */
  calls?: readonly { name: string; arguments: string }[] | undefined
  /** Tokens of its pictures and files. @default 0 */
  tokens?: number | undefined
}

/** A request to a language model, in the words of no provider. */
export interface Talk {
  model: string
  messages: readonly TalkMessage[]
  tools?: readonly { name: string; schema?: unknown }[] | undefined
  /** Whether tools must be called: a name is that of one. @default 'auto' */
  choice?: 'none' | 'auto' | 'required' | { name: string } | undefined
  /** The JSON schema that the answer must fit. */
  schema?: { name?: string | undefined; schema: unknown } | undefined
  /** Whether the answer must be JSON. */
  json?: boolean | undefined
  /** Whether an unscripted answer shows thoughts. */
  thinks?: boolean | undefined
  /** Tokens of the hidden thoughts before an answer that scripts neither thoughts nor its tokens. @default 0 */
  thoughts?: number | undefined
  /** Most tokens of the answer. */
  limit?: number | undefined
  /** Texts at which the answer stops. */
  stop?: readonly string[] | undefined
  /** The answer where no script fits. @default generated */
  usual?: string | undefined
  /** Whether the answer is no text, as a picture: scripts with `error` or `set`, and without a text, are for it. */
  textless?: boolean | undefined
  /** operationId, or method and path template. @default that of the request */
  operation?: string | undefined
  /** The request, for `when: { body }`. @default the request's body */
  body?: Json | undefined
}

/** What a language model answers: a script of the test, else generated from the seed. */
export interface ModelReply {
  text: string
  /** The text as a stream sends it. */
  pieces: readonly string[]
  calls: readonly {
    id: string | undefined
    name: string
    arguments: string
    pieces: readonly string[]
    /** What the tool answers, where the provider runs it. */
    result: Json | undefined
  }[]
  reasoning: string | undefined
  refusal: string | undefined
  finish: 'stop' | 'length' | 'tools' | 'filter' | 'pause'
  /** The stop sequence that has cut the text. */
  stoppedAt: string | undefined
  /** Tokens. `reasoning` is part of `output`, `cached` part of `input`. */
  usage: { input: number; output: number; cached: number; reasoning: number }
  embedding: readonly number[] | undefined
  /** In place of an answer. */
  error: { status: number; code: string | undefined; type: string | undefined; message: string } | undefined
  stream: StreamConduct
  /** A merge patch on the provider's own answer. */
  set: JsonObject | undefined
}

/** What every handler gets. `R`: records by collection. */
export interface WorldContext<R = AnyRecords, Item extends object = JsonObject, Status = number> {
  /** World time. */
  readonly now: Date
  /** The next number from 0 to 1, below 1: equal in every run. */
  random(): number
  /** A new id: `prefix` and 24 letters and digits, equal in every run. */
  id(prefix?: string): string
  /** A document, such as the settings of an account: read-only. @param of the record above it, or its id */
  document(name: string, of?: RecordId): Readonly<JsonObject>
  /**
   * Sets fields of a document, which is returned read-only.
   * @param of the record above it, or its id
   * @throws Error for a field or value that its schema refuses, and for a document that is a field of a record
   */
  updateDocument(name: string, fields: object, of?: RecordId): Readonly<JsonObject>
  readonly records: { readonly [Name in keyof R]: R[Name] extends object ? HandlerRecords<R[Name]> : never }
  /** Sets fields of the `record`. */
  update(fields: FieldsOf<Item>): Item
  /** Deletes the `record`. */
  remove(): void
  /** Ends the handler with an error; nothing is changed, unless it `keeps` the changes. A text is the message. */
  refuse(status: Status, why?: string | RefusalText): never
  /** Does work among the records of another account, where the entry has accounts. An empty name is the platform. */
  inAccount<T>(name: string, work: () => T): T
  /** Does work, takes its changes back, and returns its result. */
  preview<T>(work: () => T): T
  /** Sends an event of this type, of a record: one that the description or the library entry declares. @default the `record` */
  emit(type: string, record?: object): void
  /** What a language model answers: the test's script for it (`simulation.reply`), else a generated answer. */
  reply(talk: Talk): ModelReply
  /** A value that fits a JSON schema, generated from the seed. @param key other keys give other values */
  sample(schema: unknown, key?: string): Json
  /** An estimate of the tokens of a text or of a talk. */
  tokens(of: string | Talk): number
  /** For each text its script, else a vector of length 1: similar texts are near. */
  embeddings(texts: readonly string[], size: number): readonly (readonly number[])[]
}

/** What a step of the behaviour plan calls: `do: expire`. */
export interface DueContext<R = AnyRecords, Item extends object = JsonObject> extends WorldContext<R, Item> {
  /** The due record. */
  readonly record: Readonly<Item>
  /** Scheme, host and prefix of the simulation's URL, for links; empty before it is known. */
  readonly origin: string
}

/**
 * What a handler of an operation gets. The request has a route, a key and a valid body; a record that it names exists.
 * All changes are applied together, or not at all.
 */
export interface OperationContext<O extends OperationShape = AnyOperation, R = AnyRecords>
  extends WorldContext<R, O['item'], O['status']> {
  /** Parameters of the path. */
  readonly path: O['path']
  /** Parameters of the query, parsed by the description. */
  readonly query: O['query']
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: O['body']
  /**
   * World time minus real time, in milliseconds: fast-forwards alone make it grow. For limits of seconds, which a debugger
   * and a busy machine must not use up.
   */
  readonly ahead: number
  /** Scheme, host and prefix of the caller's URL, for links. */
  readonly origin: string
  /** The files of a form, or the body if it is one. */
  readonly files: readonly SentFile[]
  /** The caller's key; null where none is needed. */
  readonly key: string | null
  /** The record that the request names. Answers 404 without one. */
  readonly record: O['record']
  /** The record above that the path names, the author of `/authors/{id}/books`. Answers 404 without one. */
  readonly parent: Readonly<JsonObject> | undefined
  /** Creates a record of the operation's collection, below the records that the path names. */
  create(fields: FieldsOf<O['item']>): O['item']
  /**
   * Does what the API would do without the handler. Returns the record that it creates or changes, else its answer.
   *
   * @param narrowed of a list, which records stay; fields of the body that are left out
   */
  next(narrowed?: ListNarrowing<O['item']>): O['result']
  /** Moves world time on once the request is done, as by a test clock: what is due until then happens. */
  advance(to: Date): void
  /** Shows a prompt in `prompts()` and `expectRequest` that a `reply` answers later. The first 100 of a request are shown. */
  notePrompt(talk: Talk): void
  /** An answer with this status, headers and body, as they are. */
  respond(answer: WrittenAnswer): object
  /** An answer that leaves event by event. The events are read at once: at most 100,000, and 16 MB. */
  stream(events: Iterable<StreamEvent>, options?: StreamOptions): object
  /**
   * Does another operation of the API, such as `call('POST', '/orders', { total: 40 })`: its changes are among those of the
   * handler, unless it refuses.
   */
  call(method: string, path: string, body?: object): CallAnswer
  /**
   * A JSON web token with these claims, signed with RS256 by the key that the simulation's key set shows.
   * @param header further fields of its header
   */
  signToken(claims: object, header?: object): string
  /** The claims of a token that `signToken` has made, even if expired; undefined for any other text. */
  readToken(token: string): Readonly<JsonObject> | undefined
  /**
   * Shows a page to a browser, and takes its forms, which `POST` to the same path: a form of another site, or of another page, is
   * refused. @param show gets the fields of a form, undefined for a visit
   */
  page(show: (sent: SentForm | undefined) => Page | PageRedirect): object
}
