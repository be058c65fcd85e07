import type { Json, JsonObject } from '../../protocol/json.ts'
import type { SignIn, SignInStep } from '../../protocol/sign-in.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { ActionRefusal, ActionSetting, VerbInBody } from './action-setting.ts'
import type { SchemaReader } from './schemas/schema-reader.ts'

/** The service's model of a description. Immutable, and shared by all its simulations. */
export interface ApiModel {
  readonly title: string
  readonly version: string
  /** Path of the first server: `/v1`, or ''. Never ends in a slash. */
  readonly basePath: string
  /** Every base path of the servers, longest first; requests may have any of them or none. */
  readonly basePaths: readonly string[]
  readonly operations: readonly Operation[]
  readonly collections: readonly CollectionModel[]
  /** Documents that exist once, or once below each record of a parent: `GET /account`, `GET /users/{id}/settings`. */
  readonly singletons: readonly SingletonModel[]
  /** Schema for records of collections without a described schema. */
  readonly plainRecord: Schema
  /** Reads the schemas of its description. */
  readonly reader: SchemaReader
  /** Events that the description declares under `webhooks`, of changes that the simulation makes. */
  readonly declaredEvents: readonly DeclaredEvent[]
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>
  /** How users sign in. Undefined for an API without. */
  readonly signIn?: ModelSignIn | undefined
  /** Skipped or ambiguous parts, one sentence each, with the place as a JSON pointer. */
  readonly warnings: readonly string[]
  /** Warnings about parts that exceed the budgets; `warnings` includes them. */
  readonly cuts: readonly string[]
  /** How many values its document holds. */
  readonly values: number
  /** Serious warnings: broken references, no operations. */
  readonly faults: readonly string[]
}

/** A sign-in of a model: its settings, and the names of its collections. */
export interface ModelSignIn extends SignIn {
  /** Names of its collections: `clients`, or `oauth_clients` where the API has clients of its own. */
  readonly collectionNames: Readonly<Record<string, string>>
  /** Its collections, which the API itself does not have. */
  readonly collections: readonly CollectionModel[]
  /** The first users, where the collection of users is the sign-in's own. */
  readonly seed: Readonly<Record<string, JsonObject[]>>
}

/** A kind of record that the API keeps. */
export interface CollectionModel {
  /** Unique in the model: `tasks`, `pull_request_comments`. */
  readonly name: string
  /** Prefix of its event kinds: `task`, `pull_request_comment`. */
  readonly singular: string
  /** Names of the rules that found its path, its key, and other paths of its records. None where it is declared. */
  readonly rules?: readonly string[]
  /** Schema of an unwrapped record in an item read. Undefined without one. */
  readonly schema: Schema | undefined
  /** Schema of a record in a list, where it differs from {@link schema}. */
  readonly listSchema: Schema | undefined
  /** Schema of a record in a library entry's view, if declared. */
  readonly shownSchema?: Schema
  readonly id: IdModel
  /** Other fields that item paths of this collection use as key, in order of discovery. */
  readonly alternateKeys: readonly FieldPath[]
  /** The fields of earlier parameters of a composite key: `owner.login` of `/repos/{owner}/{repo}`. */
  readonly outerKeys?: readonly FieldPath[]
  /** Field of a record's status; null without one (about 70 % of collections). */
  readonly statusField: FieldPath | null
  readonly timestamps: { readonly created: FieldPath | undefined; readonly updated: FieldPath | undefined }
  /** The parent collection, by the paths of these records. */
  readonly parent: ParentModel | undefined
  /** The parent's field that lists these records: `playback_ids` of an asset. */
  readonly listedIn?: string | undefined
  readonly relations: readonly Relation[]
  /** The collection whose records these are, attached to a parent: the members of a team are users. */
  readonly linked: string | undefined
  /** Values of fields, by name, from the filters of the collection's lists, where their schemas have none. */
  readonly vocabulary: ReadonlyMap<string, readonly string[]>
  /** Values of new records, where the request has none. */
  readonly initial?: JsonObject
  /** Whether it belongs to the sign-in: no record is generated, and no webhook is sent of a `quiet` one. */
  readonly isApart?: 'quiet' | 'announced'
}

/** The parent of a nested collection. `/projects/{project_gid}/tasks`: tasks below projects. */
interface ParentModel {
  readonly collection: string
  /** Path parameter that identifies the parent record. */
  readonly param: string
  /** Field of the child with the parent's id, if any. */
  readonly field: FieldPath | undefined
}

/** A field that refers to records of a collection. */
export interface Relation {
  readonly field: FieldPath
  readonly collection: string
  /** Whether the field holds an array of references. */
  readonly many: boolean
  /** `id`: the referenced id. `object`: an embedded object with the id. */
  readonly form: 'id' | 'object'
}

/** A document that exists once in each scope. */
export interface SingletonModel {
  readonly name: string
  readonly singular: string
  readonly schema: Schema | undefined
  /** The collection of which each record has such a document. */
  readonly parent: string | undefined
  /** `value`: JSON that is not an object of fields. `file`: bytes as uploaded. */
  readonly whole: 'value' | 'file' | undefined
  readonly valueSchema: Schema | undefined
  /** The parent's field that also shows the document: `contact` for `/customers/{id}/contact`. */
  readonly field: string | undefined
}

/** Methods of operations. `QUERY` and others come from OpenAPI 3.2. */
export type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE' | (string & {})

/** One operation of the API. */
export interface Operation {
  /** operationId, or method and path. Unique in the model. */
  readonly id: string
  readonly method: HttpMethod
  /** Path template as written: `/tasks/{id}`. */
  readonly path: string
  readonly segments: readonly PathSegment[]
  readonly summary: string | undefined
  /** The address of its documentation, `externalDocs`. */
  readonly documentation?: string | undefined
  readonly parameters: readonly Parameter[]
  readonly requestBody: RequestBody | undefined
  /** By status as written (`200`, `4XX`, `default`), in the description's order. */
  readonly responses: ReadonlyMap<string, ResponseModel>
  /** The response to a successful request: the first 2xx with a schema, else the first 2xx, else `default`. */
  readonly success: ResponseModel
  /** Alternative sets of schemes; a request must satisfy all schemes of one set. Empty: public. */
  readonly security: readonly (readonly string[])[]
  /** The scopes that each alternative requires, in their order; undefined where none does. */
  readonly scopes?: readonly (readonly string[])[] | undefined
  readonly effect: Effect
  /** Where requests have the parameters of the effect that are not in the path under their own names. */
  readonly moved?: Readonly<Record<string, MovedParameter>>
  /** Why this is its effect. */
  readonly reason: Reason
}

/** The place of a parameter in requests. */
export interface MovedParameter {
  readonly in: 'path' | 'query' | 'body'
  readonly name: string
}

/** The rule that found an operation's effect, and how sure it is. */
export interface Reason {
  /** Name of the rule: `item-read`. */
  readonly rule: string
  readonly confidence: Confidence
}

/**
 * `declared`: the description or an entry says it. `certain`: path, method and schemas agree. `likely`: names agree.
 * `guess`: nothing contradicts it. `example`: nothing is known, an example answers.
 */
export type Confidence = 'declared' | 'certain' | 'likely' | 'guess' | 'example'

/** One part of a path between slashes: `tasks`, `{id}`, `{id}:cancel`, `report.{format}`. */
export type PathSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly prefix: string; readonly suffix: string }
  /** Several parameters in one segment: `{base}...{head}`; `literals` has one more item than `names`. */
  | { readonly kind: 'mixed'; readonly names: readonly string[]; readonly literals: readonly string[] }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  readonly required: boolean
  readonly description?: string | undefined
  readonly schema: Schema | undefined
  /** Serialisation of arrays and objects: OpenAPI `style`; `collectionFormat` of 2.0 is translated. */
  readonly style:
    | 'form'
    | 'simple'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'deepObject'
    | 'label'
    | 'matrix'
    | 'tabDelimited'
    /** JSON, as `content` says. */
    | 'json'
  readonly explode: boolean
  /** Media types of a form's field, as its `encoding` says. */
  readonly mediaTypes?: readonly string[]
  /** The description's example, beside that of the schema. */
  readonly example?: unknown
}

export interface RequestBody {
  readonly required: boolean
  /** By media type, in lower case and without parameters: `application/json`. */
  readonly content: ReadonlyMap<string, Schema | undefined>
  /** The fields of forms that have a style, by media type. */
  readonly styled?: ReadonlyMap<string, readonly Parameter[]>
}

export interface ResponseModel {
  /** The status of the answer: `default` as success is 200, `2XX` is 200. */
  readonly status: number
  /** What the description says of it. */
  readonly description?: string | undefined
  /** By media type, in lower case and without parameters. */
  readonly content: ReadonlyMap<string, MediaModel>
  /** Declared headers by their names in lower case: `link`, `x-total-count`. */
  readonly headers: ReadonlyMap<string, DeclaredHeader>
}

/** A header that the description declares for an answer. */
export interface DeclaredHeader {
  /** As written. */
  readonly name: string
  readonly required: boolean
  readonly explode: boolean
  readonly schema: Schema | undefined
  /** The description's example, if any. */
  readonly example: unknown
}

export interface MediaModel {
  readonly schema: Schema | undefined
  /** The description's example of the whole body, if any. */
  readonly example: unknown
}

/** Place of record data in a body. */
export interface Envelope {
  /** Names of properties from the top of the body; empty: the body itself. */
  readonly path: FieldPath
  /** `list`: an array of records. `listOfOne`: an array with the one record. `ids`: an array of keys. `none`: no record. */
  readonly shape: 'record' | 'list' | 'listOfOne' | 'ids' | 'none'
  /** Schema of one record at that place. */
  readonly schema: Schema | undefined
  /** The wrapper of each record in a list, `[{ customer: {...} }]`; undefined without one. */
  readonly wrapper?: { readonly path: FieldPath; readonly schema: Schema } | undefined
}

/** A change that an operation brings about later, unless the record has another status by then. */
export interface Later {
  readonly afterSeconds: number
  readonly sets: readonly ActionSetting[]
}

/** How path parameters filter a collection: `/projects/{project_gid}/tasks` shows the tasks of one project. */
export interface ScopeParam {
  readonly param: string
  /** Collection of the parameter's record; undefined for a parameter without a record. */
  readonly collection: string | undefined
  /** Field of the filtered record that refers to it; without one, the record's scope is compared. */
  readonly field: FieldPath | undefined
  /** Field of the named record that the parameter holds (`/orgs/{login}/teams`); undefined: that record's key itself. */
  readonly key: FieldPath | undefined
}

/** Paging of a list: its query parameters, by role. */
export interface Paging {
  readonly limit: string | undefined
  readonly offset: string | undefined
  readonly page: string | undefined
  readonly firstPage: 0 | 1
  /** Parameter with an opaque cursor, or the id of a record to start after or before. */
  readonly after: string | undefined
  readonly before: string | undefined
  /** The most records that the list of the answer may have. */
  readonly most?: number | undefined
  /** Whether a list without an order begins with the oldest record. @default the newest */
  readonly oldestFirst?: true | undefined
}

/** What identifies one record: a path parameter, a query parameter, a field of the body, or a word for the caller (`/me`). */
export interface ItemKey {
  readonly param: string
  readonly in: 'path' | 'query' | 'body' | 'caller'
  /** Field compared with the parameter; undefined: the record's key. */
  readonly field: FieldPath | undefined
}

/** A record of another collection that an operation creates, and its place in the answer. */
export interface LeftBehind {
  readonly collection: string
  readonly scope: readonly ScopeParam[]
  readonly envelope: Envelope
}

/** The effect of an operation on the data. */
export type Effect =
  | {
      readonly kind: 'list' | 'search'
      readonly collection: string
      readonly scope: readonly ScopeParam[]
      readonly envelope: Envelope
      readonly paging: Paging
    }
  | {
      readonly kind: 'read' | 'update' | 'replace' | 'delete'
      readonly collection: string
      readonly scope: readonly ScopeParam[]
      /** Usually one; several for composite keys. Empty: the request identifies no record. */
      readonly keys: readonly ItemKey[]
      readonly envelope: Envelope
      /** Place of the record in the request body. */
      readonly body: Envelope | undefined
      /** Whether a missing record is created instead of answering 404. */
      readonly upsert: boolean
      /** How a change or deletion refuses records in the wrong state. */
      readonly refusal?: ActionRefusal | undefined
      readonly of?: RefersTo | undefined
      /** Whether it only tells whether there is such a record. */
      readonly asks?: true
    }
  | {
      readonly kind: 'create'
      readonly collection: string
      /** Fields of the new record that the operation sets. */
      readonly sets?: readonly ActionSetting[]
      readonly later?: Later
      readonly scope: readonly ScopeParam[]
      readonly envelope: Envelope
      readonly body: Envelope | undefined
    }
  | {
      /** Acts on one record, `POST /invoices/{id}/void`, or on several, `POST /notifications/read`. */
      readonly kind: 'action'
      readonly collection: string
      readonly scope: readonly ScopeParam[]
      readonly keys: readonly ItemKey[]
      /** Whether it acts on all records whose ids are in the request, or on its whole scope where the request has no ids. */
      readonly many: boolean
      readonly verb: string
      /** Status after the verb, where the verb table and the enum agree on one. */
      readonly toStatus: string | boolean | undefined
      /** How it refuses records in the wrong state. */
      readonly refusal?: ActionRefusal | undefined
      /** Fields that the verb sets besides the status. */
      readonly sets: readonly ActionSetting[]
      readonly later?: Later
      /** Place of the verb in the body. */
      readonly verbInBody: VerbInBody | undefined
      /** The record of another collection that the action creates and answers with: a payment, a job. */
      readonly makes: LeftBehind | undefined
      readonly envelope: Envelope
      readonly body: Envelope | undefined
    }
  | {
      readonly kind: 'bulkCreate' | 'bulkUpdate' | 'bulkDelete'
      readonly collection: string
      readonly scope: readonly ScopeParam[]
      readonly envelope: Envelope
      readonly body: Envelope | undefined
      /** The job that it creates and answers with. */
      readonly makes?: LeftBehind | undefined
    }
  | {
      readonly kind: 'singletonRead' | 'singletonUpdate' | 'singletonReplace' | 'singletonDelete'
      readonly singleton: string
      readonly whole: 'value' | 'file' | undefined
      /** Fields that an action sets on the document besides those of the body. */
      readonly sets?: readonly ActionSetting[]
      readonly scope: readonly ScopeParam[]
      readonly envelope: Envelope
      readonly body: Envelope | undefined
    }
  /** A step of the sign-in. */
  | { readonly kind: 'signIn'; readonly step: SignInStep }
  /** A handler or a response rule answers; 501 without one. */
  | { readonly kind: 'computed' }
  /** Unknown: answers with a deterministic example of the success schema, or with an empty body without one. */
  | { readonly kind: 'example' }

/** How a record is identified. */
interface IdModel {
  /** Undefined without a field for the key: the world then keeps the key outside the record. */
  readonly field: FieldPath | undefined
  readonly schema: Schema | undefined
  /** Whether the client chooses the key on creation (names, codes): the creation's body has the field. */
  readonly clientChosen: boolean
  /** The body's field for it, where that has another name than the record's: `file_id` of `/files/{file_id}`. */
  readonly sentAs?: string | undefined
  /**
   * The end of the record's path, where the key is that: `projects/{project}/topics/{topic}`. A parameter of a path has
   * its last part alone. Source: google.aip.dev/122.
   */
  readonly resource?: string | undefined
}

/** How the API authenticates requests. */
export type SecurityScheme =
  /** `any`: the description does not say how the key is written. */
  | { readonly kind: 'bearer' | 'basic' | 'any' | 'oauth2' | 'openIdConnect' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** An event of a described webhook, and the changes that cause it. */
export interface DeclaredEvent {
  /** Its name: `order.created`, `newPet`. */
  readonly type: string
  readonly collection: string
  readonly verbs: readonly ('created' | 'updated' | 'deleted')[]
  /** Values that the change must have given to the record: `{ status: 'paid' }`. */
  readonly becomes?: Readonly<Record<string, Json>>
  /** The change must have changed at least one of these fields. */
  readonly changes?: readonly string[]
  /** Undefined where no JSON body is described. */
  readonly body: { readonly schema: Schema; readonly places: readonly BodyPlace[] } | undefined
}

/** A place of an event's body, and an expression for its value: `{ $record: '.' }`, `{ $time: 'iso' }`. */
export interface BodyPlace {
  readonly path: FieldPath
  readonly value: Json
}

/** `/builds/{id}/app`: the record of a path parameter, and its field that refers to the record of the answer, if known. */
export interface RefersTo {
  readonly collection: string
  readonly param: string
  readonly field: FieldPath | undefined
}
