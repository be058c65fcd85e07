import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { ActionSetting, VerbInBody } from './action-setting.ts'
import type { RefersTo } from './refers-to.ts'

/** What the service knows of a description. Immutable, and shared by all simulations of the description. */
export interface ApiModel {
  readonly title: string
  readonly version: string
  /** Path of the first server: `/v1`, or '' where there is none. Never ends in a slash. */
  readonly basePath: string
  /** Every base path that the servers name, longest first; requests are accepted with any of them and with none. */
  readonly basePaths: readonly string[]
  readonly operations: readonly Operation[]
  readonly collections: readonly CollectionModel[]
  /** Documents that exist once, or once below each record of a parent: `GET /account`, `GET /users/{id}/settings`. */
  readonly singletons: readonly SingletonModel[]
  /** Schema for records of collections whose description gives none. */
  readonly plainRecord: Schema
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>
  /** What was skipped or may be meant otherwise, one sentence each, with the place as a JSON pointer. */
  readonly warnings: readonly string[]
  /** Warnings about parts of the description that ask for more than the budgets allow; they stand among `warnings` too. */
  readonly cuts: readonly string[]
  /** How many values its document holds. */
  readonly values: number
  /** Those of the warnings that a description should not have: references that lead nowhere, no operations. */
  readonly faults: readonly string[]
}

/** A kind of record that the API keeps. */
export interface CollectionModel {
  /** Unique in the model: `tasks`, `pull_request_comments`. */
  readonly name: string
  /** Prefix of its event kinds: `task`, `pull_request_comment`. */
  readonly singular: string
  /** Schema of a record as an item read shows it, unwrapped. Undefined when the description gives none. */
  readonly schema: Schema | undefined
  /** Schema of a record in a list, where it differs from {@link schema}. */
  readonly listSchema: Schema | undefined
  /** Schema of a record as the view of a library entry shows it, where it declares one. */
  readonly shownSchema?: Schema
  readonly id: IdModel
  /** Other fields that an item path of this collection uses as its key, in the order found. */
  readonly alternateKeys: readonly FieldPath[]
  /** Field that holds a record's status; null where records have none (some 70 % of collections). */
  readonly statusField: FieldPath | null
  readonly timestamps: { readonly created: FieldPath | undefined; readonly updated: FieldPath | undefined }
  /** The collection that these records live below, by their paths. */
  readonly parent: ParentModel | undefined
  readonly relations: readonly Relation[]
  /** The collection whose records these are, tied to a parent: the members of a team are users. */
  readonly linked: string | undefined
  /** Values of fields, by name, that their schemas do not give but the filters of the collection's lists do. */
  readonly vocabulary: ReadonlyMap<string, readonly string[]>
}

/** How a record is identified. */
export interface IdModel {
  /** Undefined when no field holds the key: the world then keeps the key apart from the record. */
  readonly field: FieldPath | undefined
  readonly schema: Schema | undefined
  /** Whether the client chooses the key on creation (names, codes): the create body carries the field. */
  readonly clientChosen: boolean
}

/** The parent of a nested collection. `/projects/{project_gid}/tasks`: tasks below projects. */
export interface ParentModel {
  readonly collection: string
  /** Name of the path parameter that names the parent record. */
  readonly param: string
  /** Field of the child that repeats the parent's id, where there is one. */
  readonly field: FieldPath | undefined
}

/** A field that refers to records of a collection. */
export interface Relation {
  readonly field: FieldPath
  readonly collection: string
  /** Whether the field holds an array of references. */
  readonly many: boolean
  /** `id`: the referenced id itself. `object`: an embedded object that carries the id. `expandable`: either. */
  readonly form: 'id' | 'object' | 'expandable'
}

/** A document of which there is one in each scope. */
export interface SingletonModel {
  readonly name: string
  readonly singular: string
  readonly schema: Schema | undefined
  /** The collection of whose records each has such a document. */
  readonly parent: string | undefined
  /** `value`: JSON that is no object of fields. `file`: bytes, as they were uploaded. */
  readonly whole: 'value' | 'file' | undefined
  readonly valueSchema: Schema | undefined
  /** The field of the parent's records that shows the document too: `contact` for `/customers/{id}/contact`. */
  readonly field: string | undefined
}

/** Methods of operations. `QUERY` and others come from OpenAPI 3.2. */
export type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE' | (string & {})

/** One operation of the API. */
export interface Operation {
  /** operationId, or method and path where there is none. Unique in the model. */
  readonly id: string
  readonly method: HttpMethod
  /** Path template as written: `/tasks/{id}`. */
  readonly path: string
  readonly segments: readonly PathSegment[]
  readonly summary: string | undefined
  readonly parameters: readonly Parameter[]
  readonly requestBody: RequestBody | undefined
  /** By status as written (`200`, `4XX`, `default`), in the description's order. */
  readonly responses: ReadonlyMap<string, ResponseModel>
  /** The answer to a request that succeeds: the first 2xx with a schema, else the first 2xx, else `default`. */
  readonly success: ResponseModel
  /** Alternatives, of which a request must satisfy one; each is a set of schemes, all required. Empty: public. */
  readonly security: readonly (readonly string[])[]
  readonly effect: Effect
}

/** One part of a path between slashes: `tasks`, `{id}`, `{id}:cancel`, `report.{format}`. */
export type PathSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string; readonly prefix: string; readonly suffix: string }
  /** Several parameters in one segment: `{base}...{head}`; `literals` has one item more than `names`. */
  | { readonly kind: 'mixed'; readonly names: readonly string[]; readonly literals: readonly string[] }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  readonly required: boolean
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
  readonly explode: boolean
}

export interface RequestBody {
  readonly required: boolean
  /** By media type, in lower case and without parameters: `application/json`. */
  readonly content: ReadonlyMap<string, Schema | undefined>
}

export interface ResponseModel {
  /** The status to answer with: `default` as success is 200, `2XX` is 200. */
  readonly status: number
  /** By media type, in lower case and without parameters. */
  readonly content: ReadonlyMap<string, MediaModel>
  /** Declared headers, in lower case: `link`, `x-total-count`. */
  readonly headers: ReadonlyMap<string, Schema | undefined>
}

export interface MediaModel {
  readonly schema: Schema | undefined
  /** An example of the whole body, where the description has one. */
  readonly example: unknown
}

/** Where record data stands in a body. */
export interface Envelope {
  /** Names of properties from the top of the body; empty: the body itself. */
  readonly path: FieldPath
  /**
   * `record`: one record. `list`: an array of records. `listOfOne`: an array that holds the one record.
   * `ids`: an array of keys. `none`: the body carries no record.
   */
  readonly shape: 'record' | 'list' | 'listOfOne' | 'ids' | 'none'
  /** Schema of one record at that place. */
  readonly schema: Schema | undefined
  /** What wraps each record of a list, `[{ customer: {...} }]`; undefined where nothing does. */
  readonly wrapper?: { readonly path: FieldPath; readonly schema: Schema } | undefined
}

/** How path parameters narrow a collection: `/projects/{project_gid}/tasks` shows the tasks of one project. */
export interface ScopeParam {
  readonly param: string
  /** Collection whose record the parameter names; undefined for a parameter that names no record. */
  readonly collection: string | undefined
  /** Field of the narrowed record that refers to it; where there is none, the scope of the record is compared. */
  readonly field: FieldPath | undefined
  /** Field of the named record that the parameter holds (`/orgs/{login}/teams`); undefined: that record's key itself. */
  readonly key: FieldPath | undefined
}

/** How a list is cut into pages: the query parameters found, by role. */
export interface Paging {
  readonly limit: string | undefined
  readonly offset: string | undefined
  readonly page: string | undefined
  /** 0 or 1: the number of the first page. */
  readonly firstPage: 0 | 1
  /** Parameter that carries an opaque cursor, or the id of a record to start after or before. */
  readonly after: string | undefined
  readonly before: string | undefined
}

/**
 * What names one record in a request: a path parameter, in RPC-like APIs a query parameter or a field of the body, or a word
 * of the path for whoever sends the request (`/me`).
 */
export interface ItemKey {
  readonly param: string
  readonly in: 'path' | 'query' | 'body' | 'caller'
  /** Field that the parameter is compared with; undefined: the record's key itself. */
  readonly field: FieldPath | undefined
}

/** A record that an operation makes of another collection than its own, and where it stands in the answer. */
export interface LeftBehind {
  readonly collection: string
  readonly scope: readonly ScopeParam[]
  readonly envelope: Envelope
}

/** What an operation does to the data. */
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
      /** One for most; several for composite keys. Empty: nothing in the request names a record. */
      readonly keys: readonly ItemKey[]
      readonly envelope: Envelope
      /** Where the record stands in the request body. */
      readonly body: Envelope | undefined
      /** Whether a missing record is made instead of answering 404. */
      readonly upsert: boolean
      readonly of?: RefersTo | undefined
    }
  | {
      readonly kind: 'create'
      readonly collection: string
      readonly scope: readonly ScopeParam[]
      readonly envelope: Envelope
      readonly body: Envelope | undefined
    }
  | {
      /** Does something to one record, `POST /invoices/{id}/void`, or to several, `POST /notifications/read`. */
      readonly kind: 'action'
      readonly collection: string
      readonly scope: readonly ScopeParam[]
      readonly keys: readonly ItemKey[]
      /** Whether it is done to all records that ids in the request name: to all of its scope where it has no place for ids. */
      readonly many: boolean
      /** The verb as written: `void`. */
      readonly verb: string
      /** Status that the verb leads to, where the verb table and the enum agree on one. */
      readonly toStatus: string | boolean | undefined
      /** What the verb sets beside the status. */
      readonly sets: readonly ActionSetting[]
      /** Where the body says which verb is meant. */
      readonly verbInBody: VerbInBody | undefined
      /** The record of another collection that the action leaves behind and answers with: a payment, a job. */
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
    }
  | {
      readonly kind: 'singletonRead' | 'singletonUpdate' | 'singletonReplace' | 'singletonDelete'
      readonly singleton: string
      readonly whole: 'value' | 'file' | undefined
      /** What an action on the document sets beside what the body says. */
      readonly sets?: readonly ActionSetting[]
      readonly scope: readonly ScopeParam[]
      readonly envelope: Envelope
      readonly body: Envelope | undefined
    }
  /** An OAuth 2.0 token endpoint of the description itself. */
  | { readonly kind: 'token' }
  /** Not understood: answers with a deterministic example of the success schema, or empty where there is no schema. */
  | { readonly kind: 'example' }

/** How the API wants to be called. */
export type SecurityScheme =
  | { readonly kind: 'bearer' | 'basic' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'oauth2' | 'openIdConnect'; readonly tokenPaths: readonly string[] }
