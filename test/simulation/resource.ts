import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, describeApi, empty, list, path, string } from '../simulated-api/describe-api.ts'

interface ResourceOptions {
  /** Name of the path parameter of one thing. @default 'id' */
  readonly param?: string
  /** What a client sends to make a thing. @default the thing itself */
  readonly sent?: JsonObject
  readonly schemas?: Readonly<Record<string, JsonObject>>
  readonly paths?: JsonObject
}

/** A description of `/things` with everything that can be done to them, several at once as well. */
export function describeThings(thing: JsonObject, options: ResourceOptions = {}): JsonObject {
  const { param = 'id', sent = '$Thing', schemas = {}, paths = {} } = options
  return describeApi(
    {
      '/things': {
        get: { responses: answers(list('$Thing')) },
        post: { requestBody: body(sent), responses: answers('$Thing', 201) },
      },
      '/things/batch': {
        post: {
          operationId: 'createThingsBatch',
          requestBody: body(list(sent)),
          responses: answers(list('$Thing'), 201),
        },
      },
      [`/things/{${param}}`]: {
        parameters: [path(param, string())],
        get: { responses: answers('$Thing') },
        put: { operationId: 'createThingById', requestBody: body(sent), responses: answers('$Thing') },
        patch: { requestBody: body('$Thing'), responses: answers('$Thing') },
        delete: { responses: empty() },
      },
      ...paths,
    },
    { Thing: thing, ...schemas },
  )
}
