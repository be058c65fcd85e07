import type { ActionSetting } from '../../openapi/action-setting.ts'
import type { Effect, Operation } from '../../openapi/model.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import { COPIES, keepsField, MAKES } from './action.ts'

/** How `model.yaml` says what an operation does. */
const LINES: Readonly<Partial<Record<Effect['kind'], string>>> = {
  ...{ list: 'list', search: 'list', read: 'read', create: 'create' },
  ...{ update: 'update', replace: 'replace', delete: 'delete', action: 'act' },
}

/** The line of `model.yaml` that says what an operation does by its kind alone. */
export function modelLineOf({ method, path, effect }: Operation): string {
  const word = LINES[effect.kind]
  const does = word !== undefined && 'collection' in effect ? `{ ${word}: ${effect.collection} }` : 'example'
  return `${method} ${path}: ${does}`
}

/** Why an answer is not to be trusted: an example, a guess, an action that changed nothing. None for others. */
export function explainUnclear(compiled: CompiledOperation, isIdle: boolean): string[] {
  const { operation } = compiled
  const { reason, method, path, effect } = operation
  const why = () => {
    if (reason.confidence === 'example') return 'answers an example: nothing is known of what it does'
    if (reason.confidence === 'guess') return `is guessed by the rule "${reason.rule}"`
    if (!isIdle || effect.kind !== 'action' || reason.confidence === 'declared') return undefined
    return explainEffect(compiled).length > 0 ? undefined : `changes nothing of ${effect.collection}`
  }
  const fact = why()
  if (fact === undefined) return []
  return [
    `${method} ${path} ${fact}. Say in \`model.yaml\` what it does, or accept that with \`${modelLineOf(operation)}\`.`,
  ]
}

/** What an action sets, in the words of `model.yaml`: `status -> cancelled`, `cancelled_at = now`. Empty for other kinds. */
export function explainEffect(compiled: CompiledOperation): string[] {
  const { effect } = compiled.operation
  if (effect.kind === 'action') return explainAction(compiled, effect)
  return 'singleton' in effect ? (effect.sets ?? []).map(explainSetting) : []
}

function explainAction(compiled: CompiledOperation, effect: Effect & { kind: 'action' }): string[] {
  const { collection, operation } = compiled
  const { verb, keys, many, makes, sets, toStatus, verbInBody } = effect
  const isAlone = keys.length === 0 && !many
  if (COPIES.test(verb)) return [`creates a copy in ${effect.collection}`]
  if (isAlone && (operation.success.status === 201 || MAKES.test(verb))) return [`creates one of ${effect.collection}`]
  // Without a record of its own, an action only shows one.
  if (isAlone && makes === undefined) return []
  const status = collection?.model.statusField?.join('.')
  const reached = verbInBody ? `body.${verbInBody.field}` : toStatus
  return [
    ...(status === undefined || reached === undefined ? [] : [`${status} -> ${reached}`]),
    ...sets.map(explainSetting),
    ...keptFields(compiled, effect).map((name) => `${name} = body.${name}`),
    ...(makes ? [`creates one of ${makes.collection}`] : []),
  ]
}

/** The fields of the body that the record takes over. */
function keptFields(compiled: CompiledOperation, { sets, body }: Effect & { kind: 'action' }): string[] {
  const schema =
    body?.schema ?? [...(compiled.operation.requestBody?.content.values() ?? [])].find((one) => one !== undefined)
  const isSet = new Set(
    sets.flatMap(({ field, to }) => [field[0], ...(typeof to === 'object' && 'amount' in to ? [to.amount] : [])]),
  )
  return [...(schema?.properties.keys() ?? [])].filter((name) => {
    return (
      !isSet.has(name) &&
      compiled.collection !== undefined &&
      keepsField(name, compiled.collection.model, compiled.intakeOf(schema), schema)
    )
  })
}

function explainSetting({ field, param, to }: ActionSetting): string {
  const name = field.join('.')
  const sent = param === undefined ? `body.${field.at(-1)}` : `path.${param}`
  if (to === 'now') return `${name} = now`
  if (to === 'fresh') return `${name} = a new value`
  if (to === 'cleared') return `${name} = null`
  if (to === 'added') return `${name} + ${sent}`
  if (to === 'removed') return `${name} - ${sent}`
  if (to === 'argument') return `${name} = ${sent}`
  if (to === 'item') return `the item ${sent} of ${name} = the body`
  if ('value' in to) return `${name} = ${to.value}`
  if ('sent' in to) return `${name} = body.${to.sent.join('.')}`
  if ('by' in to) return `${name} ${to.by < 0 ? '-' : '+'} ${Math.abs(to.by)}`
  return `${name} ${to.sign < 0 ? '-' : '+'} body.${to.amount}`
}
