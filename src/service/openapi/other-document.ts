import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

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
export function kindOfObject(document: JsonObject): OtherKind | undefined {
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
