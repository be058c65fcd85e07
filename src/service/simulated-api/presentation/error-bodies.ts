import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, Operation, ResponseModel } from '../../openapi/model.ts'
import { isJsonType } from '../body/media-type.ts'
import type { ApiResponse } from '../exchange.ts'
import { type ErrorFacts, errorWord, hasMessage, isFieldName } from './error-words.ts'
import type { Projector } from './project.ts'

interface ErrorShape {
  readonly mediaType: string
  readonly schema: Schema | undefined
}

const MAX_DEPTH = 6

/** Writes error answers in the shape that the description declares for them. */
export class ErrorBodies {
  readonly #model: ApiModel
  readonly #projector: Projector
  readonly #common = new Map<number, ErrorShape | undefined>()

  constructor(model: ApiModel, projector: Projector) {
    this.#model = model
    this.#projector = projector
  }

  write(operation: Operation | undefined, facts: ErrorFacts): ApiResponse {
    const shape = (operation && declaredShape(operation, facts.status)) ?? this.#commonShape(facts.status)
    const plain = { error: { code: facts.code, message: facts.message } }
    const body = shape?.schema === undefined ? plain : this.#compose(shape.schema, facts)
    return {
      status: facts.status,
      headers: { 'Content-Type': shape?.mediaType ?? 'application/json' },
      body: JSON.stringify(body ?? plain),
    }
  }

  #compose(schema: Schema, facts: ErrorFacts): Json | undefined {
    const written = this.#value(schema, facts, '', 0)
    if (written !== undefined && fits(schema, written)) return written
    return this.#projector.project(written, schema, `error.${facts.status}`)
  }

  #value(schema: Schema | undefined, facts: ErrorFacts, name: string, depth: number): Json | undefined {
    if (schema === undefined || depth > MAX_DEPTH) return undefined
    if (schema.variants) return this.#variantValue(schema.variants, facts, name, depth)
    if (schema.properties.size > 0) return this.#object(schema, facts, depth)
    if (schema.types.includes('array')) return this.#list(schema, facts, name, depth)
    if (schema.types.includes('object')) return freeForm(schema, facts, name, depth)
    if (schema.types.length === 0 && depth === 0) return { error: { code: facts.code, message: facts.message } }
    const { message, status } = facts
    return [message, status].find((value) => fits(schema, value))
  }

  #variantValue(variants: readonly Schema[], facts: ErrorFacts, name: string, depth: number): Json | undefined {
    let first: Json | undefined
    for (const variant of variants) {
      const value = this.#value(variant, facts, name, depth)
      if (value !== undefined && fits(variant, value)) {
        if (isJsonObject(value) || depth > 0) return value
        first ??= value
      }
    }
    return first
  }

  #object(schema: Schema, facts: ErrorFacts, depth: number): JsonObject {
    const result: JsonObject = {}
    for (const [name, field] of schema.properties) {
      const isRequired = schema.required.has(name)
      const value =
        errorWord(name, field, facts, schema) ?? this.#nested(name, field, { facts, isRequired, depth, whole: schema })
      const written = value === undefined && isRequired ? this.#generate(name, field, facts) : value
      if (written !== undefined) result[name] = written
    }
    return result
  }

  /** What must be there and says nothing of the error: empty where it may be. */
  #generate(name: string, field: Schema, facts: ErrorFacts): Json {
    const empty = ([null, ''] as const).find((value) => fits(field, value))
    return empty === undefined || field.enum
      ? this.#projector.project(undefined, field, `error.${facts.status}.${name}`, name)
      : empty
  }

  /** Errors within errors: `error: { message }`, `errors: [{ message }]`. */
  #nested(
    name: string,
    field: Schema,
    { facts, isRequired, depth, whole }: { facts: ErrorFacts; isRequired: boolean; depth: number; whole: Schema },
  ): Json | undefined {
    if (facts.field === undefined && hasMessage(whole) && isAboutFields(field)) {
      return isRequired && fits(field, []) ? [] : undefined
    }
    const isErrors = /^(error|errors|err|fault|data|details|issues|violations|problems|messages|meta|response)$/i.test(
      name,
    )
    const isContainer =
      field.types.some((type) => type === 'object' || type === 'array') || field.variants !== undefined
    if (!isContainer || !(isErrors || isRequired)) return undefined
    const value = this.#value(field, facts, name, depth + 1)
    return value !== undefined && fits(field, value) ? value : undefined
  }

  #list(schema: Schema, facts: ErrorFacts, name: string, depth: number): Json | undefined {
    const item = schema.items === undefined ? facts.message : this.#value(schema.items, facts, name, depth + 1)
    return item === undefined ? undefined : [item]
  }

  /** The shape that most errors of the description have, of this status where there are any. */
  #commonShape(status: number): ErrorShape | undefined {
    if (!this.#common.has(status)) {
      const family = String(status)[0]
      const shape =
        mostFrequent(this.#model, (declared) => declared === String(status)) ??
        mostFrequent(this.#model, (declared) => declared.startsWith(String(family))) ??
        mostFrequent(this.#model, (declared) => /^[45]/.test(declared) || declared === 'default')
      this.#common.set(status, shape)
    }
    return this.#common.get(status)
  }
}

/** Whether the items of a list each have to name a field: nothing to say where no field is at fault. */
const isAboutFields = ({ items }: Schema): boolean => [...(items?.required ?? [])].some(isFieldName)

function declaredShape(operation: Operation, status: number): ErrorShape | undefined {
  const { responses } = operation
  const exact = responses.get(String(status)) ?? responses.get(`${String(status)[0]}XX`)
  const fallback = responses.get('default')
  return toShape(exact) ?? (fallback === operation.success ? undefined : toShape(fallback))
}

function toShape(response: ResponseModel | undefined): ErrorShape | undefined {
  for (const [mediaType, media] of response?.content ?? []) {
    if (media.schema !== undefined && (isJsonType(mediaType) || mediaType === '*/*')) {
      return { mediaType: mediaType === '*/*' ? 'application/json' : mediaType, schema: media.schema }
    }
  }
  return undefined
}

function mostFrequent(model: ApiModel, isWanted: (declared: string) => boolean): ErrorShape | undefined {
  const counts = new Map<Schema, { shape: ErrorShape; count: number }>()
  for (const operation of model.operations) {
    for (const [declared, response] of operation.responses) {
      const shape = isWanted(declared) && response !== operation.success ? toShape(response) : undefined
      if (shape?.schema === undefined) continue
      const known = counts.get(shape.schema) ?? { shape, count: 0 }
      known.count++
      counts.set(shape.schema, known)
    }
  }
  const [first] = [...counts.values()].sort((left, right) => right.count - left.count)
  // A shape that hardly any operation declares is not what the API answers elsewhere.
  return first && first.count >= model.operations.length / 20 ? first.shape : undefined
}

/** `{ title: ["..."] }` where errors are told by field, else code and message. */
function freeForm(schema: Schema, facts: ErrorFacts, name: string, depth: number): Json | undefined {
  const { additionalProperties: rest } = schema
  const field = facts.field ?? 'base'
  if (typeof rest === 'object') {
    const told = [[facts.message], facts.message].find((value) => fits(rest, value))
    return told === undefined ? undefined : { [field]: told }
  }
  if (depth > 0 && /errors|fields/i.test(name)) return { [field]: [facts.message] }
  const plain = { code: facts.code, message: facts.message }
  return depth === 0 ? { error: plain } : plain
}
