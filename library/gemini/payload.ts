import { type Fields, fieldsOf, type Json, toSnake } from '../shared/values.ts'
import { type Fault, invalid } from './context.ts'

/**
 * The messages of a request for content: kinds of their fields. `*` is a list, `$` a map, `?` anything, and the others
 * are texts, numbers, integers, booleans, enums and messages.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  GenerateContentRequest:
    'model:s contents:*Content tools:*Tool toolConfig:ToolConfig safetySettings:*SafetySetting systemInstruction:Content generationConfig:GenerationConfig cachedContent:s serviceTier:? store:b labels:? continuationToken:?',
  BatchEmbedContentsRequest: 'requests:*EmbedContentRequest model:?',
  EmbedContentRequest:
    'model:s content:Content taskType:TaskType title:s outputDimensionality:i autoTruncate:b documentOcr:b audioTrackExtraction:b config:? embedContentConfig:?',
  Content: 'role:s parts:*Part',
  Part: 'text:s inlineData:Blob fileData:FileData functionCall:FunctionCall functionResponse:? executableCode:? codeExecutionResult:? toolCall:? toolResponse:? thought:b thoughtSignature:s videoMetadata:? mediaResolution:? mediaProcessing:? partMetadata:? audioTranscription:? speechMetadata:?',
  Blob: 'mimeType:s data:s displayName:s',
  FileData: 'mimeType:s fileUri:s displayName:s',
  FunctionCall: 'id:s name:s args:? partialArgs:? willContinue:b',
  Tool: 'functionDeclarations:*FunctionDeclaration googleSearch:? googleSearchRetrieval:? codeExecution:? urlContext:? googleMaps:? fileSearch:? computerUse:? mcpServers:? retrieval:? enterpriseWebSearch:? exaAiSearch:? parallelAiSearch:? type:?',
  FunctionDeclaration:
    'name:s description:s parameters:Schema parametersJsonSchema:? response:Schema responseJsonSchema:? behavior:?',
  ToolConfig: 'functionCallingConfig:FunctionCallingConfig retrievalConfig:? includeServerSideToolInvocations:b',
  FunctionCallingConfig: 'mode:Mode allowedFunctionNames:*s streamFunctionCallArguments:b',
  SafetySetting: 'category:HarmCategory threshold:HarmBlockThreshold method:?',
  GenerationConfig:
    'stopSequences:*s responseMimeType:s responseSchema:Schema responseJsonSchema:? _responseJsonSchema:? responseFormat:? responseModalities:*Modality candidateCount:i maxOutputTokens:i temperature:n topP:n topK:i seed:i presencePenalty:n frequencyPenalty:n responseLogprobs:b logprobs:i enableEnhancedCivicAnswers:b speechConfig:? thinkingConfig:ThinkingConfig imageConfig:? mediaResolution:MediaResolution audioTimestamp:b audioTranscriptionConfig:? enableAffectiveDialog:b translationConfig:? modelSelectionConfig:? routingConfig:?',
  ThinkingConfig: 'includeThoughts:b thinkingBudget:i thinkingLevel:ThinkingLevel',
  Schema:
    'type:Type format:s title:s description:s nullable:b enum:*s items:Schema properties:$Schema required:*s anyOf:*Schema propertyOrdering:*s minItems:i maxItems:i minLength:i maxLength:i minProperties:i maxProperties:i minimum:n maximum:n pattern:s default:? example:?',
}

/** Enums, whose values may come with the prefix. */
const ENUMS: Readonly<Record<string, string>> = {
  HarmBlockThreshold: 'BLOCK_LOW_AND_ABOVE BLOCK_MEDIUM_AND_ABOVE BLOCK_ONLY_HIGH BLOCK_NONE OFF',
  HarmCategory:
    'HARM_CATEGORY_HARASSMENT HARM_CATEGORY_HATE_SPEECH HARM_CATEGORY_SEXUALLY_EXPLICIT HARM_CATEGORY_DANGEROUS_CONTENT HARM_CATEGORY_CIVIC_INTEGRITY HARM_CATEGORY_JAILBREAK HARM_CATEGORY_IMAGE_HATE HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT HARM_CATEGORY_IMAGE_HARASSMENT HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT',
  MediaResolution: 'MEDIA_RESOLUTION_LOW MEDIA_RESOLUTION_MEDIUM MEDIA_RESOLUTION_HIGH',
  Modality: 'TEXT IMAGE AUDIO VIDEO',
  Mode: 'AUTO ANY NONE VALIDATED',
  TaskType:
    'RETRIEVAL_QUERY RETRIEVAL_DOCUMENT SEMANTIC_SIMILARITY CLASSIFICATION CLUSTERING QUESTION_ANSWERING FACT_VERIFICATION CODE_RETRIEVAL_QUERY',
  ThinkingLevel: 'MINIMAL LOW MEDIUM HIGH XHIGH',
  Type: 'STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL',
}

/** Scalars: their names in messages, and which values they take. Numbers may be texts. */
const SCALARS: Readonly<Record<string, readonly [string, (value: Json) => boolean]>> = {
  b: ['TYPE_BOOL', (value) => typeof value === 'boolean'],
  i: ['TYPE_INT32', (value) => isNumber(value) && Number(value) === Math.trunc(Number(value))],
  n: ['TYPE_FLOAT', (value) => isNumber(value)],
  s: ['TYPE_STRING', (value) => typeof value === 'string'],
}

const isNumber = (value: Json): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && value !== '')) && Number.isFinite(Number(value))

/** Fields of a part of which it has one. */
const DATA = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode']

const toCamel = (name: string): string => name.replace(/(?<=[a-z])_(.)/g, (_, letter) => letter.toUpperCase())

/** A name, a type or a value of an enum that a message does not have. */
interface Violation {
  readonly field?: string
  readonly description: string
}

/** Why the form of a request is refused. */
export function formFault(request: Fields, kind: string): Fault | undefined {
  const violations = ofKind(request, kind, '')
  if (violations.length === 0) return undefined
  const fieldViolations = violations.map((one) => ({ ...one }))
  return {
    ...invalid(violations.map(({ description }) => description).join('\n')),
    details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }],
  }
}

function ofKind(value: Json, kind: string, path: string): Violation[] {
  if (value === null || kind === '?') return []
  const inner = kind.slice(1)
  if (kind.startsWith('*'))
    return [value].flat().flatMap((one, at) => ofKind(one, inner, Array.isArray(value) ? `${path}[${at}]` : path))
  if (kind.startsWith('$'))
    return Object.values(fieldsOf(value)).flatMap((one, at) => ofKind(one, inner, `${path}[${at}].value`))
  if (Array.isArray(value)) {
    const [, above = '', name = path] = /^(.*)\.(\w+)$/.exec(path) ?? []
    return [unknown(name, above, 'Proto field is not repeating, cannot start list.')]
  }
  const [type, fits] = SCALARS[kind] ?? [`type.googleapis.com/google.ai.generativelanguage.v1beta.${kind}`]
  const known = ENUMS[kind]?.split(' ')
  const isGood =
    fits?.(value) ??
    (known === undefined
      ? typeof value === 'object'
      : String(value).endsWith('_UNSPECIFIED') || known.includes(String(value).toUpperCase()))
  if (!isGood) return [wrong(path, `(${type}), ${JSON.stringify(value)}`)]
  const message = MESSAGES[kind]
  return message === undefined ? [] : ofMessage(fieldsOf(value), message, path)
}

function ofMessage(fields: Fields, message: string, path: string): Violation[] {
  const kinds = new Map(message.split(' ').map((field) => field.split(':') as [string, string]))
  const given = DATA.filter((name) => message === MESSAGES.Part && (fields[name] ?? fields[toSnake(name)]) != null)
  const doubled = given[1] === undefined ? [] : [given[1]]
  return [
    ...Object.entries(fields).flatMap(([name, value]) => {
      const kind = kinds.get(toCamel(name))
      if (kind === undefined) return [unknown(name, path, 'Cannot find field.')]
      return ofKind(value, kind, [path, toSnake(name)].filter(Boolean).join('.'))
    }),
    ...doubled.map((name) => wrong(path, `(oneof), oneof field 'data' is already set. Cannot set '${name}'`)),
  ]
}

const wrong = (field: string, problem: string): Violation => ({
  field,
  description: `Invalid value at '${field}' ${problem}`,
})

function unknown(name: string, path: string, problem: string): Violation {
  const at = path === '' ? '' : ` at '${path}'`
  return {
    ...(path !== '' && { field: path }),
    description: `Invalid JSON payload received. Unknown name "${name}"${at}: ${problem}`,
  }
}
