import type { DocumentOrigin } from '../../description/read-text.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MODEL_EXTENSION } from '../../protocol/model-extension.ts'
import { joinInferred, readDeclaredCollections, readDescribed } from './declared-collections.ts'
import { readDeclaredEvents } from './declared-webhooks/read-webhooks.ts'
import { withFrameworkRefusals } from './framework-refusals.ts'
import { inferModel } from './inference/infer-model.ts'
import type { ApiModel } from './model.ts'
import { type OperationDraft, objectEntries, textOf, toOperation } from './operation-draft.ts'
import { readOperations } from './operation-reader.ts'
import { ModelOverlay } from './overlay/overlay.ts'
import { LocalReferences } from './references.ts'
import { knowsNullable } from './schemas/component-schemas.ts'
import { plainRecordOf, SchemaReader } from './schemas/schema-reader.ts'
import { readBasePaths } from './servers.ts'
import { joinSignIn, readSignIn, withSignIn } from './sign-in.ts'
import { surveyDocument } from './survey.ts'

/**
 * Turns an OpenAPI description (2.0, 3.0, 3.1 or 3.2) into the service's model. The document is kept and must not be
 * changed afterwards. Unreadable parts are skipped and listed in the model's warnings.
 *
 * Throws an {@link ApiError} `invalid_spec` for a document that is not an OpenAPI description, or refers to other
 * documents.
 */
export function readDescription(document: JsonObject, options: ReadOptions = {}): ApiModel {
  const run = readingDescription(document, options)
  for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
}

/** Options of {@link readDescription}. */
interface ReadOptions extends DocumentOrigin {
  /** Names of rules of inference that are not used, to see what they decide. */
  readonly leftOut?: ReadonlySet<string> | undefined
}

/** {@link readDescription}, with a pause after each operation and each collection. */
export function* readingDescription(given: JsonObject, options: ReadOptions = {}): Generator<undefined, ApiModel> {
  checkHead(given)
  const signIn = readSignIn(given)
  const document = withSignIn(withFrameworkRefusals(given), signIn)
  const { cuts, unmatched, mostProperties, mostWays, broken, unknown, values } = yield* surveyDocument(
    document,
    options,
  )
  const references = new LocalReferences(document)
  const schemaOptions = { knowsNullable: knowsNullable(document), unmatched, mostProperties, mostWays }
  const reader = new SchemaReader(references, schemaOptions)
  const { drafts, security, warnings } = yield* readOperations(document, reader)
  const none = noOperations(drafts.length)
  const info = isJsonObject(document.info) ? document.info : {}
  const basePaths = readBasePaths(document)
  const declared = readDeclaredCollections(document, reader)
  const described = readDescribed(document)
  const isOwn = ({ method, path }: OperationDraft) => declared !== undefined && !described.has(`${method} ${path}`)
  const others = drafts.filter((draft) => !isOwn(draft) && draft.step === undefined)
  const overlay = hasLines(document, others) ? ModelOverlay.of(document, others) : undefined
  const inferred = yield* inferModel(overlay?.drafts ?? others, reader, {
    leftOut: options.leftOut,
    overlay,
  })
  const whole =
    declared === undefined
      ? inferred
      : joinInferred(
          declared,
          drafts.filter((draft) => isOwn(draft) && draft.step === undefined),
          inferred,
        )
  const joined = withSteps(joinSignIn(document, signIn, overlay?.finish(whole) ?? whole, reader), drafts)
  const { declaredEvents, unsent } = yield* readDeclaredEvents(document, reader, joined)
  const notes = [...new Set([...references.notes, ...broken])]
  return {
    title: textOf(info.title) ?? 'Untitled API',
    version: textOf(info.version) ?? String(info.version ?? ''),
    basePath: basePaths[0] ?? '',
    basePaths: basePaths.toSorted((left, right) => right.length - left.length),
    ...joined,
    declaredEvents,
    plainRecord: plainRecordOf(reader),
    reader,
    securitySchemes: security.schemes,
    warnings: [...none, ...warnings, ...unsent, ...cuts, ...notes, ...unknown],
    cuts,
    values,
    faults: [...none, ...notes],
  }
}

/** A model with the operations of its sign-in, in the order of the description. */
function withSteps<Part extends Pick<ApiModel, 'operations'>>(part: Part, drafts: readonly OperationDraft[]): Part {
  const steps = drafts.flatMap((draft) => {
    if (draft.step === undefined) return []
    const effect = { kind: 'signIn', step: draft.step } as const
    return [toOperation(draft, { effect, reason: { rule: 'sign-in', confidence: 'declared' } as const })]
  })
  return steps.length === 0 ? part : { ...part, operations: [...part.operations, ...steps] }
}

/** Whether there is any `x-backlot`. */
function hasLines(document: JsonObject, drafts: readonly OperationDraft[]): boolean {
  const schemas = isJsonObject(document.components) ? objectEntries(document.components.schemas) : []
  const parts = [document, ...schemas.map(([, schema]) => schema)]
  return drafts.some(({ line }) => line !== undefined) || parts.some((part) => part[MODEL_EXTENSION] !== undefined)
}

function noOperations(count: number): string[] {
  return count > 0
    ? []
    : ['The description has no operations, so nothing can be asked of this API: add them under `/paths`.']
}

function checkHead(document: JsonObject): void {
  const { swagger, openapi } = document
  if (swagger === undefined && openapi === undefined) {
    const other = kindOfObject(document)
    if (other) throw invalidSpec(`Failed to read the description: it is ${other.is}. ${other.next}`)
    throw invalidSpec(
      'Failed to read the description: there is neither `/openapi` nor `/swagger`. Add `openapi: 3.1.0` (or the version that it is written in) at the top.',
    )
  }
  const isKnown = swagger !== undefined ? /^2(\.|$)/.test(String(swagger)) : /^3(\.|$)/.test(String(openapi))
  if (!isKnown) {
    const [place, version] = swagger !== undefined ? ['/swagger', swagger] : ['/openapi', openapi]
    throw invalidSpec(
      `Failed to read the description: Expected \`${place}\` to be 2.0 or 3.0 to 3.2, got ${JSON.stringify(version)}. Convert it to OpenAPI 3.`,
    )
  }
  if (!['paths', 'webhooks', 'components', 'definitions'].some((key) => isJsonObject(document[key]))) {
    throw invalidSpec(
      'Failed to read the description: there is none of `/paths`, `/webhooks` and `/components`. Add the operations under `paths`.',
    )
  }
}

/** A kind of document that is passed in place of a description, and what to do then. */
interface OtherKind {
  readonly is: string
  readonly next: string
}

const CONVERT = 'Export or convert it to OpenAPI 3.'
const NAME_DESCRIPTION = 'Pass the OpenAPI description that it is about.'

/** Kinds of documents by a name at their top. */
const BY_NAME: Readonly<Record<string, OtherKind>> = {
  asyncapi: { is: 'an AsyncAPI document', next: 'Pass the OpenAPI description of the HTTP API.' },
  arazzo: { is: 'an Arazzo document', next: NAME_DESCRIPTION },
  overlay: { is: 'an OpenAPI overlay', next: 'Apply it to its description, and pass the result.' },
  swaggerVersion: { is: 'a description of Swagger 1', next: CONVERT },
  discoveryVersion: { is: 'a Google API discovery document', next: CONVERT },
  __export_format: { is: 'an export of Insomnia', next: CONVERT },
  $schema: { is: 'a JSON Schema', next: 'Put it under `components.schemas`, and add the operations under `paths`.' },
}

/** What an object is that has neither `openapi` nor `swagger`; undefined where nothing shows it. */
function kindOfObject(document: JsonObject): OtherKind | undefined {
  const { info, log } = document
  if (isJsonObject(info) && (info._postman_id !== undefined || /postman/.test(String(info.schema))))
    return { is: 'a Postman collection', next: CONVERT }
  if (isJsonObject(log) && Array.isArray(log.entries)) return { is: 'an HTTP archive (HAR)', next: CONVERT }
  const names = Object.keys(document)
  const known = names.find((name) => Object.hasOwn(BY_NAME, name))
  if (known !== undefined) return BY_NAME[known]
  if (names.some((name) => name.startsWith('/')))
    return { is: 'a list of paths', next: 'Put them under `paths`, below `openapi: 3.1.0` and `info`.' }
  return undefined
}
