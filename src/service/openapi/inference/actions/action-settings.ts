import { foldNoun } from '../../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { fieldsOf, schemaOfBody } from '../bodies/bodies.ts'
import { type Settable, type SettableFields, settableFields, stemOf } from '../bodies/settable-fields.ts'
import { gerundsOf, isVerb, kindOfVerb, participlesOf, stateAfter } from '../paths/verbs.ts'
import { ADDS, FILLERS, LOWERS, PUTS, RAISES, REMOVES, RENEWS } from './action-words.ts'

/** Prefixes that reverse a verb. */
const UNDOING = /^(un|de|dis)(?=[a-z]{3})/
/** Verbs with `re-` that repeat an action: `reprocess`, `resend`. */
const AGAIN = /^re(process|send|submit|invite|index|build|deploy|calculate|sync|try|issue|validate|scan)$/
/**
 * The fields that an action sets besides the status, by name: `star` sets the flag `starred`, `publish` the time
 * `published_at`, `change_type` and `/pos` the field of that name, `add_user` a list of users, `vote` a number of
 * votes, `reset_secret` a new secret. Where the description has no fields, the actions define them.
 */
export function settingsOf(
  verb: string,
  schema: Schema | undefined,
  { isOpen = false, given = [] }: { readonly isOpen?: boolean; readonly given?: readonly string[] } = {},
): readonly ActionSetting[] {
  const words = wordsOf(verb)
  const [first = '', ...rest] = words
  const all = settableFields(schema)
  const renewed = rest.length === 0 && given.length === 0 && SECRETS.test(first) ? renewedField(first, all) : undefined
  const glued = rest.length === 0 ? gluedFlag(first, all) : undefined
  const named = renewed ?? glued ?? namedSetting(words, all) ?? namedFlag(words, all) ?? listGiven(words, all, given)
  if (named) return [named]
  const counted = countsOf(words, all)
  const done = [...counted, ...(rest.length > 1 ? [] : [...flagsOf(first, rest, all), ...momentsOf(first, all)])]
  const found =
    done.length > 0 ? done : [...compoundsOf(words, all), ...nounFlag(words, all), ...listOf(words, all)].slice(0, 1)
  return found.length > 0 || !isOpen ? found : openSettings(verb, words)
}

/** The fields that `DELETE` of an action's path sets: `DELETE /users/{id}/avatar` takes the avatar away. */
export function settingsUndone(
  verb: string,
  schema: Schema | undefined,
  options: { readonly isOpen: boolean; readonly given: readonly string[] },
): readonly ActionSetting[] {
  const [first = ''] = wordsOf(verb)
  const isOpen = options.isOpen && (isVerb(first) || kindOfVerb(first) !== undefined)
  const found = settingsOf(`un${verb}`, schema, { ...options, isOpen })
  return found.length > 0 || isOpen || !options.isOpen ? found : [set([verb], 'cleared')]
}

/** `POST /providers/{id}/token`, without a body: gives the provider a new token. */
const SECRETS = /^(token|secret|apikey|password)$/

/** `add { feed_key }`, `grant_feed_access/{feed_key}`: adds the given value to the feeds. */
function listGiven(
  [first = '', ...rest]: readonly string[],
  fields: SettableFields,
  given: readonly string[],
): ActionSetting | undefined {
  const all = given.map((name) => foldNoun(name.replace(KEY_ENDING, '')))
  const nouns = rest.length === 0 ? all : all.filter((noun) => rest.map(foldNoun).includes(noun))
  if (!(ADDS.has(first) || REMOVES.has(first))) return doneTo(first, nouns, fields)
  const found = fields
    .named(
      'noun',
      nouns.flatMap((noun) => [noun, `${noun}id`]),
    )
    .find(({ isArray }) => isArray)
  return found && set([found.name], ADDS.has(first) ? 'added' : 'removed')
}

/** `block { user_id }`: adds the user to `blocked_user_ids`; `unblock` removes it. */
function doneTo(verb: string, nouns: readonly string[], fields: SettableFields): ActionSetting | undefined {
  if (!isVerb(verb) || nouns.length === 0) return undefined
  const base = verb.replace(UNDOING, '')
  const names = participlesOf(base).flatMap((done) => nouns.flatMap((noun) => [done + noun, `${done}${noun}id`]))
  const found = fields.named('noun', names).find(({ isArray }) => isArray)
  return found && set([found.name], base === verb ? 'added' : 'removed')
}

const KEY_ENDING = /[_-]?(ids?|keys?|uuids?)$/i

/** `tag` and `attach`: add the given value to the tags, the attachments. */
function listOf([first = '', ...rest]: readonly string[], fields: SettableFields): ActionSetting[] {
  if (rest.length > 0) return []
  const isRemoval = UNDOING.test(first)
  const own = stemOf(first.replace(UNDOING, ''))
  const found = fields.all.filter(({ isArray, noun }) => isArray && stemOf(noun) === own)
  return found.map(({ name }) => set([name], isRemoval ? 'removed' : 'added'))
}

/** `verify-email`: the flag `email_verified`, or the time. */
function compoundsOf([first = '', ...rest]: readonly string[], fields: SettableFields): ActionSetting[] {
  const noun = rest.filter((word) => !FILLERS.has(word)).join('')
  if (noun === '') return []
  // `sharedPublicURL` and `public_url_shared` have the same words.
  const names = [first, ...participlesOf(first)].flatMap((participle) => [noun + participle, participle + noun])
  return [
    ...fields
      .named('flag', names)
      .filter(({ isFlag }) => isFlag)
      .map(({ name }) => set([name], { value: true })),
    ...fields.all
      .filter(({ isValue, moment = '' }) => isValue && names.some((own) => moment.endsWith(own)))
      .map(({ name }) => set([name], 'now')),
  ]
}

/** `verifydkim`, `verifyspf`: the only flag that begins with what follows the verb and ends with its participle. */
function gluedFlag(word: string, { all }: SettableFields): ActionSetting | undefined {
  if (kindOfVerb(word) !== undefined) return undefined
  for (let at = 4; at <= word.length - 3; at++) {
    const verb = word.slice(0, at)
    const noun = word.slice(at)
    if (kindOfVerb(verb) !== 'action') continue
    const [only, ...more] = all.filter(
      ({ isFlag, flag }) => isFlag && flag.startsWith(noun) && participlesOf(verb).some((done) => flag.endsWith(done)),
    )
    if (only && more.length === 0) return set([only.name], { value: true })
  }
  return undefined
}

const set = (field: FieldPath, to: ActionSetting['to']): ActionSetting => ({ field, to })

/** `PUT /auto_renewal`, and its deletion: the flag `auto_renew`. */
function nounFlag(words: readonly string[], fields: SettableFields): ActionSetting[] {
  const whole = words.join('')
  const base = whole.replace(UNDOING, '')
  if (kindOfVerb(words[0] ?? '') !== undefined || base.length < 5) return []
  const flags = fields.named('stem', [stemOf(base)]).filter(({ isFlag }) => isFlag)
  return flags.map(({ name }) => set([name], { value: base === whole }))
}

/** Whether an action may set a field: where further words name it, not a read-only one. */
const settable = (rest: readonly string[]): ((field: Settable) => boolean) =>
  rest.length === 0 ? () => true : ({ isReadOnly }) => !isReadOnly

/** The field that the words after the verb name: a list to add to, a value to set, or one to regenerate. */
function namedSetting(words: readonly string[], fields: SettableFields): ActionSetting | undefined {
  const [first = '', ...rest] = words
  const noun = rest.filter((word) => !FILLERS.has(word)).join('_')
  const isAdding = ADDS.has(first)
  if (noun !== '' && (isAdding || REMOVES.has(first))) {
    const wanted = foldNoun(noun)
    // `customer_ids` is a list of customers.
    const found = fields.named('noun', [wanted, `${wanted}id`]).find(({ isArray }) => isArray)
    return found && { field: [found.name], to: isAdding ? 'added' : 'removed' }
  }
  if (RENEWS.has(first)) return renewedField(noun, fields)
  const wanted = [foldName(words.join('_')), ...(PUTS.has(first) && noun !== '' ? [foldName(noun)] : [])]
  const names = first === 'rename' && noun === '' ? ['name', 'title', 'label'] : wanted
  const found = fields.named('folded', names).find(settable(rest)) ?? endingIn(foldName(words.join('_')), fields)
  return found && !found.isFlag ? { field: [found.name], to: 'argument' } : undefined
}

/** `PUT /nodes/{id}/eligibility`: the only field that ends in these words, `scheduling_eligibility`. */
function endingIn(folded: string, fields: SettableFields): Settable | undefined {
  if (folded.length < 6 || kindOfVerb(folded) !== undefined) return undefined
  const [only, ...more] = fields.all.filter(
    (field) => field.isValue && field.folded.endsWith(folded) && !field.isReadOnly,
  )
  return more.length === 0 ? only : undefined
}

/**
 * `make-default`, `mark_as_read`, `set_primary`: the flag or the time of that name. `start_recording`,
 * `disable_comments`: the flag `recording`, `comments_enabled`.
 */
function namedFlag([first = '', ...rest]: readonly string[], fields: SettableFields): ActionSetting | undefined {
  const noun = foldName(rest.filter((word) => !FILLERS.has(word)).join('_'))
  if (noun === '') return undefined
  const isOn = SWITCHES.get(first)
  if (isOn !== undefined) {
    const flags = [...fields.named('flag', [noun, `${noun}enabled`]), ...fields.named('stem', [stemOf(noun)])]
    const found = flags.find(({ isFlag }) => isFlag)
    return found && set([found.name], { value: isOn })
  }
  if (!/^(make|mark|set)$/.test(first)) return undefined
  const [stem, value] = noun.startsWith('un') ? [noun.slice(2), false] : [noun, true]
  const found = fields.named('folded', [stem, `is${stem}`]).find(({ isFlag }) => isFlag)
  if (found) return set([found.name], { value })
  const moment = first === 'mark' ? fields.named('moment', [stem]).find(({ isValue }) => isValue) : undefined
  return moment && set([moment.name], value ? 'now' : 'cleared')
}

/** Words that turn the following flag on or off. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['start', true],
  ['enable', true],
  ['stop', false],
  ['disable', false],
])

/** `reset-secret` and `regenerate_token`: the secret or token, with any words before it in the field's name. */
function renewedField(noun: string, fields: SettableFields): ActionSetting | undefined {
  const values = fields.all.filter(({ isValue }) => isValue)
  const wanted = foldName(noun)
  const isMeant = (folded: string) =>
    wanted === '' ? /(secret|token|apikey|password)$/.test(folded) : folded.endsWith(wanted)
  const found = values.find(({ folded }) => folded === wanted) ?? values.find(({ folded }) => isMeant(folded))
  return found && { field: [found.name], to: 'fresh' }
}

/** `vote`: one vote more; `unlike`: one like less; `raise-priority`: a higher priority. */
function countsOf(words: readonly string[], fields: SettableFields): ActionSetting[] {
  const [first = '', ...rest] = words
  const isStep = RAISES.has(first) || LOWERS.has(first)
  if (isStep ? rest.length === 0 : rest.length > 0) return []
  const isDown = LOWERS.has(first) || (!isStep && UNDOING.test(first))
  const noun = isStep ? rest.join('_') : first.replace(UNDOING, '')
  const plural = noun.endsWith('e') || !/(s|x|ch|sh)$/.test(noun) ? `${noun}s` : `${noun}es`
  const names = isStep
    ? [foldName(noun)]
    : [plural, `${plural}count`, `${noun}count`, `num${plural}`, `${plural}num`, `total${plural}`]
  const found = fields.named('folded', names).find(({ isCount }) => isCount)
  return found ? [{ field: [found.name], to: { by: isDown ? -1 : 1 } }] : []
}

/** `pause` sets `paused`, `/pos` sets `pos`, for records without a schema. */
function openSettings(verb: string, words: readonly string[]): ActionSetting[] {
  const [first = ''] = words
  if (words.length === 1 && isVerb(first)) return [{ field: ['status'], to: { value: stateAfter(first) } }]
  return isVerb(first) || kindOfVerb(first) !== undefined ? [] : [{ field: [verb], to: 'argument' }]
}

function flagsOf(verb: string, rest: readonly string[], fields: SettableFields): ActionSetting[] {
  const base = verb.replace(UNDOING, '')
  const isUndoing = base !== verb
  const liked = LIKES.has(base) ? [...LIKES].flatMap((word) => [word, ...participlesOf(word)]) : []
  const same = SAME.get(verb) ?? []
  const done = new Set([verb, ...participlesOf(verb), ...gerundsOf(verb), ...same, ...(isUndoing ? [] : liked)])
  const undoing = isUndoing ? [verb, base].flatMap((word) => [...participlesOf(word), ...gerundsOf(word)]) : []
  const decided = DECISIONS.has(verb) ? PENDING : []
  const undone = [`un${verb}`, ...undoing, base, ...(isUndoing ? liked : []), OPPOSITES.get(verb) ?? [], decided].flat()
  const flags = fields.named('flag', [...done, ...undone]).filter(({ isFlag }) => isFlag)
  return flags.filter(settable(rest)).map(({ name, flag }) => ({ field: [name], to: { value: done.has(flag) } }))
}

/** Synonyms: for records with `favorite`, `like` sets it. */
const LIKES: ReadonlySet<string> = new Set(['like', 'star', 'favorite', 'favourite', 'heart', 'bookmark'])
/** Decisions, which end an open state. */
const DECISIONS: ReadonlySet<string> = new Set(['approve', 'reject', 'deny', 'decline', 'accept'])
const PENDING = [
  'pendingapproval',
  'approvalpending',
  'needsapproval',
  'requiresapproval',
  'awaitingapproval',
  'pending',
]

/** Flags with another word than their verb. */
const SAME: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['running', 'active', 'enabled']],
  ['run', ['active']],
  ['enable', ['active', 'on']],
  ['activate', ['enabled']],
  ['resume', ['running', 'active']],
])

const OPPOSITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['disable', ['enabled', 'active', 'on']],
  ['enable', ['disabled']],
  ['reopen', ['closed']],
  ['open', ['closed']],
  ['close', ['open']],
  ['resume', ['paused']],
  ['start', ['paused']],
  ['stop', ['running']],
  ['kill', ['running']],
  ['hangup', ['alive']],
  ['terminate', ['running']],
  ['activate', ['deactivated']],
  ['reactivate', ['deactivated']],
  ['unarchive', ['archived']],
  ['restore', ['deleted']],
])

function momentsOf(verb: string, fields: SettableFields): ActionSetting[] {
  const done = [verb, AGAIN.test(verb) ? verb.slice(2) : []].flat().flatMap(participlesOf)
  const base = verb.replace(UNDOING, '')
  const undone = [base === verb ? [] : participlesOf(base), OPPOSITES.get(verb) ?? []].flat()
  const over = fields.named('moment', undone).filter(({ isValue }) => isValue)
  const words = [...done, ...[verb, ...done].map((word) => `last${word}`), `${verb}initiated`, `${verb}requested`]
  const moments = fields.named('moment', words).filter(({ isValue }) => isValue)
  if (moments.length + over.length > 0) {
    return [...moments.map(({ name }) => set([name], 'now')), ...over.map(({ name }) => set([name], 'cleared'))]
  }
  return fields.partMoments.filter(({ moment }) => words.includes(moment)).map(({ field }) => set(field, 'now'))
}

/** Names of the request's values besides its path. */
export function namesGiven({ parameters, requestBody }: OperationDraft): readonly string[] {
  const query = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  return [...fieldsOf(schemaOfBody(requestBody)).keys(), ...query]
}
