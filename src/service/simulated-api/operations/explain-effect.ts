import { kindOfVerb, meansState } from '../../../names/verbs.ts'
import { wordsOf } from '../../../names/words.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { ModelVerb, OperationLine } from '../../../protocol/model-file.ts'
import type { ActionSetting } from '../../openapi/action-setting.ts'
import type { Effect, Later, Operation } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import { toJsonPatch } from '../body/json-patch.ts'
import type { Answered, ApiCall } from '../calls/call.ts'
import type { CompiledApi } from '../compiled/compiled-api.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import { type ApiResponse, toText } from '../exchange.ts'
import { allNames } from '../facts/intake.ts'
import { COPIES, fieldTaken, MAKES } from './action.ts'
import { movedField } from './apply-setting.ts'
import { doubtsOf, WHOLE } from './doubts.ts'
import { givesToken } from './token.ts'

/** How `model.yaml` says what an operation does. */
const VERBS: Readonly<Partial<Record<Effect['kind'], ModelVerb>>> = {
  ...{ list: 'list', read: 'read', create: 'create', update: 'update' },
  ...{ replace: 'replace', delete: 'delete', action: 'act' },
}

/** The line of `model.yaml` that says what an operation does; for what has no words there, that it does what it does. */
export function modelLineOf({ method, path, effect }: Operation): OperationLine {
  if (effect.kind === 'example' || effect.kind === 'computed') return effect.kind
  const verb = VERBS[effect.kind]
  if (verb === undefined || !('collection' in effect)) return `as ${method} ${path}`
  const { collection } = effect
  const { later: after } = 'later' in effect ? effect : {}
  const later = after && { later: { after: `${after.afterSeconds}s`, set: writtenSet(after.sets) } }
  if (effect.kind !== 'action') return { [verb]: collection, ...later }
  const { toStatus: to, sets } = effect
  const set = writtenSet(sets)
  const add = sets.flatMap(({ field, to: how }): [string, number | string][] => {
    if (typeof how !== 'object' || !('by' in how || 'amount' in how)) return []
    return [[field.join('.'), 'by' in how ? how.by : `body.${how.amount}`]]
  })
  return {
    act: collection,
    ...(to !== undefined && { to }),
    ...(Object.keys(set).length > 0 && { set }),
    ...(add.length > 0 && { add: Object.fromEntries(add) }),
    ...later,
  }
}

const writtenSet = (sets: readonly ActionSetting[]): Record<string, Json> =>
  Object.fromEntries(
    sets.flatMap((one): [string, Json][] => {
      const value = writtenValue(one)
      return value === undefined ? [] : [[one.field.join('.'), value]]
    }),
  )

/** The value that a setting gives its field; undefined where it depends on the stored one. */
function writtenValue(setting: ActionSetting): Json | undefined {
  const { to: how } = setting
  if (how === 'argument') return sourceOf(setting)
  if (how === 'now') return how
  if (how === 'cleared') return null
  if (typeof how !== 'object') return undefined
  if ('sent' in how) return `body.${how.sent.join('.')}`
  return 'value' in how ? how.value : undefined
}

const sourceOf = ({ field, param }: ActionSetting): string =>
  param === undefined ? `body.${field.at(-1)}` : `path.${param}`

/** A line of `model.yaml` as text. */
export const modelLineText = ({ method, path }: Pick<Operation, 'method' | 'path'>, line: OperationLine): string =>
  `${plain(`${method} ${path}`, /: | #|:$/)}: ${typeof line === 'string' ? line : flow(line as Json)}`

function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'string') return plain(value, /[^\w./-]|^[-.\d]|^(true|false|null|yes|no|on|off|y|n)$/i)
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([name, inner]) => `${flow(name)}: ${flow(inner as Json)}`)
  return `{ ${parts.join(', ')} }`
}

/** A text without quotes, unless YAML would read it otherwise. */
const plain = (text: string, special: RegExp): string =>
  text === '' || special.test(text) ? JSON.stringify(text) : text

/** Why an answer is not to be trusted: an example, a guess, an action that changed nothing. None for others. */
export function explainUnclear(compiled: CompiledOperation, isIdle: boolean, sent: Json | undefined): string[] {
  const fact = whyUnclear(compiled, isIdle, sent)
  if (fact === undefined || compiled.isLogin) return []
  const { operation } = compiled
  const { method, path } = operation
  return [
    `${method} ${path} ${fact}. Say in \`model.yaml\` what it does, or accept that with \`${modelLineText(operation, modelLineOf(operation))}\`.`,
  ]
}

function whyUnclear(compiled: CompiledOperation, isIdle: boolean, sent: Json | undefined): string | undefined {
  const { reason, effect } = compiled.operation
  if (reason.confidence === 'example') return 'answers an example: nothing is known of what it does'
  if (reason.confidence === 'guess') return `is guessed by the rule "${reason.rule}"${detailOf(compiled.operation)}`
  if (effect.kind !== 'action' || reason.confidence === 'declared') return undefined
  if (isUnknownVerb(compiled, effect)) return `keeps what it is sent: nothing is known of "${effect.verb}"`
  const effects = explainEffect(compiled)
  // The time of the last change alone is none.
  const isBare = isIdle || sent === undefined || (isJsonObject(sent) && Object.keys(sent).length === 0)
  const isNone = effects.length === 0 || (isBare && effects.every((text) => isOfMissing(text, sent)))
  return isNone ? `changes nothing of ${effect.collection}` : undefined
}

/** `status = body.status` of a request without a status. */
function isOfMissing(text: string, sent: Json | undefined): boolean {
  const name = / body\.(\w+)/.exec(text)?.[1]
  return name !== undefined && !(isJsonObject(sent) && Object.hasOwn(sent, name))
}

/** What of a request is kept nowhere, and what of its answer nothing keeps true, each with what corrects it. */
export function explainDoubts(
  api: CompiledApi,
  { compiled, key, body: { value: sent } }: ApiCall,
  { response, isUnwritten }: Answered,
): string[] {
  const { body, status } = response
  const { operation, isLogin } = compiled
  const { method, path, reason, effect } = operation
  const doubts = doubtsOf(api, compiled)
  if (reason.confidence === 'declared' || (doubts.areNone && !isLogin && effect.kind !== 'singletonRead')) return []
  const on = `${method} ${path}`
  const line = modelLineOf(operation)
  const collection = 'collection' in effect ? effect.collection : ''
  const keeper = 'singleton' in effect ? `document ${effect.singleton} has` : `${collection} have`
  const parts =
    doubts.lost.length === 0 || toJsonPatch(sent) ? [] : [sent, ...Object.values(isJsonObject(sent) ? sent : {})]
  const lost = doubts.lost.filter((name) =>
    parts.some((part) => (isJsonObject(part) ? Object.hasOwn(part, name) : name === WHOLE && part !== undefined)),
  )
  const text =
    doubts.madeUp.length + doubts.unfilled.length + doubts.priced.length === 0 || body === null ? '' : toText(body)
  const accepted =
    collection === '' || doubts.beside.length > 0
      ? modelLineText(operation, line)
      : `collections: { ${collection}: { initial: { ${doubts.madeUp[0]}: 0 } } }`
  const unfilled = doubts.unfilled.filter((name) => !text.includes(`"${name}":[{`))
  const priced = doubts.priced.filter((name) => text.includes(`"${name.split('.')[1]}":`))
  const isRead = effect.kind === 'read'
  const madeUp = [...doubts.beside, ...doubts.madeUp.filter((name) => isRead || text.includes(`"${name}":`))]
  const isUnknown = (isLogin || effect.kind === 'singletonRead') && status === 200 && (!body || body === '{}')
  const isUnchecked = isLogin && !api.accountSteps.has(operation) && givesToken(response)
  // The key may come in a header, as `simulation.fetch` sends it.
  const password = isJsonObject(sent) ? sent.password : undefined
  const kept = { '<field>': `body.${lost[0]}` }
  const isAdded =
    effect.kind === 'action' && parts.some((part) => isJsonObject(part) && typeof part[`${lost[0]}`] === 'number')
  const sets =
    typeof line !== 'string' && /^(create|action)$/.test(effect.kind) && (isAdded ? { add: kept } : { set: kept })
  const states = schemaAt(compiled.collection?.model.schema, compiled.collection?.model.statusField ?? [])?.enum ?? []
  const fromStatus =
    typeof line === 'string' || effect.kind === 'create' || typeof states[0] !== 'string'
      ? ''
      : `, or \`from: [${states[0]}]\` in its line for other statuses`
  return [
    lost.length > 0 &&
      `${listed(lost)} kept nowhere by ${on}: the ${keeper} no such field. A handler can use it; \`${modelLineText(operation, sets ? { ...line, ...sets } : line)}\` ${sets ? 'keeps it in a field that they have' : 'accepts it'}.`,
    madeUp.length > 0 &&
      `${listed(madeUp)} made up or left out in the answer of ${on}: no request changes it. A handler can compute it; \`${accepted}\` accepts it.`,
    priced.length > 0 &&
      `${listed(priced)} made up in the answer of ${on}: no request sends it. A handler can compute it; \`${modelLineText(operation, line)}\` accepts it.`,
    unfilled.length > 0 &&
      `${listed(unfilled)} empty in what ${on} creates: no request fills it. A handler can; \`collections: { ${collection}: { initial: { ${unfilled.map((name) => `${name}: []`).join(', ')} } } }\` accepts it.`,
    doubts.isInvented &&
      isUnwritten &&
      reason.confidence !== 'guess' &&
      `${on} answers made-up values: no request has written them. Write them first, or give the fields an \`example\`; \`${modelLineText(operation, line)}\` accepts it.`,
    doubts.conflict !== undefined &&
      `${on} never answers the ${doubts.conflict[0]} that it declares ("${doubts.conflict[1]}"). A handler can, with \`refuse(${doubts.conflict[0]})\`${fromStatus}; \`${modelLineText(operation, line)}\` accepts it.`,
    doubts.isIdleJournal &&
      `${on} lists past events, and no request adds one. Create them in a handler of what it is about, or seed them; \`${modelLineText(operation, line)}\` accepts it.`,
    doubts.isUnfed &&
      !doubts.isIdleJournal &&
      isEmptyList(effect, body) &&
      `${on} is empty: no request adds to ${collection}. Let a handler create them (\`records.${collection}.create\`), or the test (\`simulation.create\`); \`${modelLineText(operation, line)}\` accepts it.`,
    doubts.listOf &&
      `${on} lists records of its own, which no request changes: not the ${doubts.listOf}. \`${modelLineText(operation, { list: doubts.listOf })}\` lists those; \`${modelLineText(operation, line)}\` accepts it.`,
    isUnchecked &&
      key !== null &&
      typeof password === 'string' &&
      password !== key &&
      `${on} does not check the password: the key in a header is enough. Log in with \`simulation.key\` as the password; \`${modelLineText(operation, 'example')}\` accepts it.`,
    isUnchecked &&
      key === null &&
      `The token that ${on} gives works nowhere: the credentials of the request are not checked. Log in with \`simulation.key\` as the password or secret; \`${modelLineText(operation, 'example')}\` accepts it.`,
    isUnknown &&
      `${on} answers nothing: its description declares no fields of the answer. Declare them, or let a handler answer; \`${modelLineText(operation, 'example')}\` accepts it.`,
  ].filter((one) => typeof one === 'string')
}

/** Whether an answer has an empty list in the place of the records. */
function isEmptyList(effect: Effect, body: ApiResponse['body']): boolean {
  if (effect.kind !== 'list' || body === null) return false
  const name = effect.envelope.path.at(-1)
  return name === undefined ? toText(body) === '[]' : toText(body).includes(`"${name}":[]`)
}

/** Verbs that do no more than set what is sent. */
const TAKES = /^(re)?(assign|move|transfer|review|rate|vote|invite|share|report)$/

/** Whether an action with a verb of its own only keeps fields of its body: an acknowledgement has a time, too. */
function isUnknownVerb(compiled: CompiledOperation, effect: Effect & { kind: 'action' }): boolean {
  const [verb = ''] = wordsOf(effect.verb)
  const isBare = effect.sets.length === 0 && !(effect.toStatus ?? effect.makes ?? effect.verbInBody)
  const isOwn = kindOfVerb(verb) === 'action' && !TAKES.test(verb) && !COPIES.test(verb)
  return isBare && isOwn && effect.keys.length > 0 && keptFields(compiled, effect).length > 0
}

const listed = (names: readonly string[]): string =>
  `${names.map((name) => `\`${name}\``).join(', ')} ${names.length === 1 ? 'is' : 'are'}`

/** What a guess is about, and what corrects it; empty where its rule says all. */
export function detailOf({ effect, reason, summary }: Operation): string {
  if (reason.confidence !== 'guess') return ''
  const free = effect.kind === 'list' ? effect.scope.find((one) => !one.collection && !one.field) : undefined
  if (effect.kind === 'list' && free !== undefined)
    return `: no field of ${effect.collection} refers to {${free.param}} (\`collections: { ${effect.collection}: { parent: { of: <collection>, by: <field> } } }\` names one)`
  if (effect.kind === 'delete' && meansState(summary))
    return `: it removes the record (\`{ act: ${effect.collection}, to: <status> }\` keeps it)`
  if (effect.kind === 'delete' || effect.kind === 'update' || effect.kind === 'replace')
    return `: nothing makes or lists ${effect.collection} (\`${effect.kind}: <collection>\` names where they are)`
  return ''
}

/** What an action sets, in the words of `model.yaml`: `status -> cancelled`, `cancelled_at = now`. Empty for other kinds. */
export function explainEffect(compiled: CompiledOperation): string[] {
  const { effect } = compiled.operation
  const later = 'later' in effect && effect.later !== undefined ? [explainLater(effect.later)] : []
  if (effect.kind === 'action') return [...explainAction(compiled, effect), ...later]
  return 'sets' in effect ? [...(effect.sets ?? []).map(explainSetting), ...later] : later
}

const explainLater = ({ afterSeconds, sets }: Later): string =>
  `after ${afterSeconds} s: ${sets.map(explainSetting).join(', ')}`

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
    ...sets.filter(({ field }) => reached === undefined || field.join('.') !== status).map(explainSetting),
    ...keptFields(compiled, effect),
    ...(makes ? [`creates one of ${makes.collection}`] : []),
  ]
}

/** The fields that the record takes over from the body: `cancel_reason = body.reason`. */
function keptFields(compiled: CompiledOperation, { sets, body, verb, makes }: Effect & { kind: 'action' }): string[] {
  const schema =
    body?.schema ?? [...(compiled.operation.requestBody?.content.values() ?? [])].find((one) => one !== undefined)
  const made = allNames(makes?.envelope.schema).keys()
  const isSet = new Set([...made, ...sets.flatMap((one) => [one.field[0], movedField(one)])])
  const { model } = compiled.collection ?? {}
  const facts = { intake: compiled.intakeOf(schema), sent: schema, verb }
  return [...(schema?.properties.keys() ?? [])].flatMap((name) => {
    if (model === undefined || isSet.has(name)) return []
    const field = fieldTaken(name, model, facts)
    return field === undefined ? [] : [`${field} = body.${name}`]
  })
}

function explainSetting(setting: ActionSetting): string {
  const { to } = setting
  const name = setting.field.join('.')
  const written = writtenValue(setting)
  const sent = sourceOf(setting)
  if (written !== undefined) return `${name} = ${written}`
  if (typeof to !== 'object') {
    if (to === 'fresh') return `${name} = a new value`
    return to === 'item' ? `the item ${sent} of ${name} = the body` : `${name} ${to === 'added' ? '+' : '-'} ${sent}`
  }
  if ('by' in to) return `${name} ${to.by < 0 ? '-' : '+'} ${Math.abs(to.by)}`
  return 'amount' in to ? `${name} ${to.sign < 0 ? '-' : '+'} body.${to.amount}` : name
}
