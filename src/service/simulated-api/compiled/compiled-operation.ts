import type { Json, JsonObject } from '../../../protocol/json.ts'
import { once } from '../../../runtime/once.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, CollectionModel, Operation, Parameter, PathSegment } from '../../openapi/model.ts'
import { allNames, findIntake, type Intake } from '../facts/intake.ts'
import { findUpkeep, type Upkeep } from '../facts/upkeep.ts'
import { isLogin, isPublic } from '../find-key.ts'
import { type FilterFields, findFilterFields, ListParameters } from '../listing/list-parameters.ts'
import { findViewParameters, type ViewParameters } from '../listing/record-view.ts'
import { defaultRepresentation, type Representation } from '../presentation/negotiate.ts'
import { findGivenFields, type GivenFields } from '../validation/given-record.ts'
import { type CheckedParameter, findCheckedParameters } from '../validation/parameters.ts'
import { QueryReader } from '../validation/read-query.ts'

/** One operation, with facts about it before any request. */
export class CompiledOperation {
  readonly operation: Operation
  /** Names of the path parameters, in the order of the path. */
  readonly pathNames: readonly string[]
  /** Fields of its bodies that no record keeps, fields of its answers that no request keeps right, what it should list. */
  doubts:
    | {
        readonly lost: readonly string[]
        readonly madeUp: readonly string[]
        readonly beside: readonly string[]
        readonly listOf: string | undefined
        readonly isIdleJournal: boolean
        /** Whether it lists what no request adds, below records of clients. */
        readonly isUnfed: boolean
        /** Lists of new records that nothing fills. */
        readonly unfilled: readonly string[]
        /** Prices in lines that no request sends. */
        readonly priced: readonly string[]
        /** Whether it reads a document whose first values nothing gives. */
        readonly isInvented: boolean
        /** The status and the description of a refusal that nothing answers. */
        readonly conflict: readonly [string, string] | undefined
        /** Whether there is nothing of all this. */
        readonly areNone: boolean
      }
    | undefined
  readonly #model: ApiModel
  readonly #collection: () => CompiledCollection | undefined
  #prefixed: readonly Parameter[] | undefined
  #intakes: Map<Schema | undefined, Intake> | undefined
  #queryParameters: readonly Parameter[] | undefined
  #queryReader: QueryReader | undefined
  #checkedParameters: readonly CheckedParameter[] | undefined
  #viewParameters: ViewParameters | undefined
  #listParameters: ListParameters | undefined
  #representation: Representation | undefined
  #itemRead: { readonly found: Operation | undefined } | undefined
  #isPublic: boolean | undefined
  #isWritten: boolean | undefined
  #isLogin: boolean | undefined
  #resources: readonly ResourceParam[] | undefined
  #secretFields: readonly SecretField[] | undefined

  constructor(operation: Operation, model: ApiModel, collection: () => CompiledCollection | undefined) {
    this.operation = operation
    this.#collection = once(collection)
    this.#model = model
    this.pathNames = operation.segments.flatMap(toNames)
  }

  /** The collection of the operation, or undefined. */
  get collection(): CompiledCollection | undefined {
    return this.#collection()
  }

  /** The path parameters whose style puts something before them. */
  get prefixed(): readonly Parameter[] {
    this.#prefixed ??= this.operation.parameters.filter(({ style, in: at }) => at === 'path' && PREFIXED.has(style))
    return this.#prefixed
  }

  get queryParameters(): readonly Parameter[] {
    this.#queryParameters ??= this.operation.parameters.filter((parameter) => parameter.in === 'query')
    return this.#queryParameters
  }

  /** Parses queries by the parameters. */
  get queryReader(): QueryReader {
    this.#queryReader ??= new QueryReader(this.queryParameters)
    return this.#queryReader
  }

  /** The checked parameters, in declared order, each with its check. */
  get checkedParameters(): readonly CheckedParameter[] {
    this.#checkedParameters ??= findCheckedParameters(this.operation)
    return this.#checkedParameters
  }

  /** The parameters for selected fields or related records. */
  get viewParameters(): ViewParameters {
    this.#viewParameters ??= findViewParameters(this.queryParameters)
    return this.#viewParameters
  }

  /** Names of a list's query parameters without effect. */
  get unreadParameters(): readonly string[] {
    return this.collection === undefined ? [] : this.listParameters.unread
  }

  /** The meaning of a list's parameters. Throws for an operation without a collection. */
  get listParameters(): ListParameters {
    const { collection, operation } = this
    if (collection === undefined) throw new Error(`Failed to read operation "${operation.id}": it lists no collection.`)
    this.#listParameters ??= new ListParameters(operation, collection.model, collection.filterFields)
    return this.#listParameters
  }

  /** Whether clients write the document of the operation. */
  get isWritten(): boolean {
    const { effect } = this.operation
    this.#isWritten ??=
      'singleton' in effect &&
      this.#model.operations.some(
        ({ effect: other }) =>
          'singleton' in other && other.singleton === effect.singleton && other.kind !== 'singletonRead',
      )
    return this.#isWritten
  }

  /** Whether the operation needs no key. */
  get isPublic(): boolean {
    this.#isPublic ??= isPublic(this.operation)
    return this.#isPublic
  }

  /** Whether the operation is a login: public, and answering with a token for the key as password. */
  get isLogin(): boolean {
    this.#isLogin ??= isLogin(this.operation)
    return this.#isLogin
  }

  /** The default representation of an answer. */
  get representation(): Representation {
    this.#representation ??= defaultRepresentation(this.operation.success)
    return this.#representation
  }

  /** The read of a record, at a path below the path of creation or else at one of its own. */
  get itemRead(): Operation | undefined {
    this.#itemRead ??= { found: findItemRead(this.operation, this.#model) }
    return this.#itemRead.found
  }

  /** The path parameters that are the last part of a resource name, each with all parts of its path. */
  get resources(): readonly ResourceParam[] {
    this.#resources ??= findResources(this.operation, this.#model)
    return this.#resources
  }

  /** See {@link secretFieldsOf}. */
  get secretFields(): readonly SecretField[] {
    this.#secretFields ??= secretFieldsOf(this.operation, this.collection?.model)
    return this.#secretFields
  }

  /** The fields of a record that the operation accepts in a body of this schema. */
  intakeOf(bodySchema: Schema | undefined): Intake {
    this.#intakes ??= new Map()
    const known = this.#intakes.get(bodySchema)
    if (known !== undefined) return known
    const intake = findIntake(this.operation, this.collection?.model, bodySchema)
    this.#intakes.set(bodySchema, intake)
    return intake
  }
}

const PREFIXED: ReadonlySet<Parameter['style']> = new Set(['label', 'matrix'])

function toNames(segment: PathSegment): readonly string[] {
  if (segment.kind === 'static') return []
  return segment.kind === 'mixed' ? segment.names : [segment.name]
}

function findItemRead({ effect, segments }: Operation, { operations }: ApiModel): Operation | undefined {
  if (!('collection' in effect)) return undefined
  const { collection } = ('makes' in effect ? effect.makes : undefined) ?? effect
  const reads = operations.filter(
    ({ effect: other }) => other.kind === 'read' && other.collection === collection && other.keys.length === 1,
  )
  return (
    reads.find((read) => read.segments.length === segments.length + 1) ??
    reads.find((read) => read.segments.findIndex(({ kind }) => kind !== 'static') === read.segments.length - 1)
  )
}

/** A path parameter that names a record together with what is before it: `projects/{project}/topics/{topic}`. */
interface ResourceParam {
  readonly name: string
  readonly parts: readonly PathSegment[]
}

function findResources({ effect, segments }: Operation, { collections }: ApiModel): readonly ResourceParam[] {
  const own = 'keys' in effect ? effect.keys.map(({ param }) => ({ param, collection: effect.collection })) : []
  const named = [...('scope' in effect ? effect.scope : []), ...own]
  return named.flatMap(({ param, collection }) => {
    const form = collections.find(({ name }) => name === collection)?.id.resource?.split('/') ?? []
    const end = segments.findIndex((segment) => segment.kind === 'param' && segment.name === param) + 1
    const parts = segments.slice(Math.max(0, end - form.length), end)
    const isWhole = form.every((text, at) => text.startsWith('{') || textOf(parts[at]) === text)
    return form.length > 0 && parts.length === form.length && isWhole ? [{ name: param, parts }] : []
  })
}

const textOf = (segment: PathSegment | undefined) => (segment?.kind === 'static' ? segment.text : undefined)

/** One collection, with facts about it before any request. */
export class CompiledCollection {
  readonly model: CollectionModel
  readonly #operations: readonly Operation[]
  #filterFields: FilterFields | undefined
  #givenFields: GivenFields | undefined
  #recordDefaults: JsonObject | undefined
  #upkeep: Upkeep | undefined

  constructor(model: CollectionModel, { operations }: Pick<ApiModel, 'operations'>) {
    this.model = model
    this.#operations = operations
  }

  get filterFields(): FilterFields {
    this.#filterFields ??= findFilterFields(this.model)
    return this.#filterFields
  }

  /** The fields that the owner may set. */
  get givenFields(): GivenFields {
    this.#givenFields ??= findGivenFields(this.model, this.#operations)
    return this.#givenFields
  }

  /** The fields that the server keeps right. */
  get upkeep(): Upkeep {
    this.#upkeep ??= findUpkeep(this.model, this.#operations)
    return this.#upkeep
  }

  /** The schema's defaults of missing fields. */
  get recordDefaults(): JsonObject {
    this.#recordDefaults ??= findDefaults(this.model)
    return this.#recordDefaults
  }
}

function findDefaults({ schema }: CollectionModel): JsonObject {
  const usual = [...(schema?.properties ?? [])].flatMap(([field, { default: value }]) =>
    value === undefined ? [] : [[field, value as Json] as const],
  )
  return Object.fromEntries(usual)
}

/** A text or an object of an answer, by its name. */
type SecretField = readonly [name: string, schema: Schema]

/** Names of values about the call, not about the record. */
const BESIDE = /(status|message|error|warning|info|next|prev|cursor|meta|links?$|request_?id$|^(object|type|kind)$)/i
const NONE: readonly SecretField[] = []

/**
 * Texts and objects that only the answer to a creation has, such as the secret of an API key or the address for an
 * upload: a client could not go on without them, and later calls identify the record by some.
 */
function secretFieldsOf({ effect }: Operation, model: CollectionModel | undefined): readonly SecretField[] {
  const answer = effect.kind === 'create' ? effect.envelope.schema : undefined
  if (model === undefined || answer === undefined || answer === model.schema) return NONE
  const own = allNames(model.schema)
  return [...answer.properties].filter(
    ([name, { types, enum: values, properties }]) =>
      !own.has(name) &&
      !BESIDE.test(name) &&
      !values &&
      // An object with an id is another record.
      (types.includes('string') || (types.includes('object') && !properties.has('id'))),
  )
}
