import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import type { Effect } from '../../model.ts'
import { namesGiven, settingsOf } from '../actions/action-settings.ts'
import { RENEWS } from '../actions/action-words.ts'
import { statusLedTo } from '../actions/verb-in-body.ts'
import { fieldsOf, isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findRecordShape } from '../bodies/shapes.ts'
import { findStatusField } from '../collections/record-fields.ts'
import { keyOfSteps, lastStatic, type Step } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import type { Survey } from './rule.ts'

/** Words at the end of paths that show a state. */
const SHOWS = ['', 'status', 'state', 'settings', 'config']
/** Those below a record that show no more than its state. */
const STATES = ['status', 'state']

/** `POST /recordings/start` next to `GET /recordings/status`, `PUT /maintenance/enable` next to `GET /maintenance`. */
export function documentAction(
  survey: Survey,
  operation: Placed,
  outer: readonly Step[],
  verb: string,
  shows: readonly string[] = SHOWS,
): Effect | undefined {
  const { draft } = operation
  if (draft.method === 'GET' || draft.method === 'HEAD') return undefined
  for (const text of shows) {
    const steps: readonly Step[] = text === '' ? outer : [...outer, { kind: 'static', text }]
    const site = steps.length > 0 ? survey.catalogue.sites.get(keyOfSteps(steps)) : undefined
    const schema = site && !survey.catalogue.shownAt(steps) ? documentOf(site) : undefined
    const word = draft.method === 'DELETE' ? `un${verb}` : verb
    const renewed = schema && RENEWS.has(word) && SECRET.test(lastStatic(steps)) ? renewedIn(schema) : []
    const sets = schema ? [...settingsOn(schema, word, namesGiven(draft)), ...(renewed ?? [])] : []
    if (site && sets.length > 0)
      return { ...survey.build.singleton(operation, site, 'singletonUpdate'), sets } as Effect
  }
  return undefined
}

/** Documents with nothing but a secret. */
const SECRET = /(secret|key|token|password|credential)s?$/i

/** `POST /endpoints/{id}/secret/rotate` beside `GET /endpoints/{id}/secret { key }`: the key is a new one. */
const renewedIn = (schema: Schema): readonly ActionSetting[] =>
  ['key', 'value'].filter((name) => fieldsOf(schema).has(name)).map((name) => ({ field: [name], to: 'fresh' }))

/** `POST /apps/{id}/stop` of apps without a state, beside `GET /apps/{id}/status { state }`: sets the state of that document. */
export function stateAction(
  survey: Survey,
  operation: Placed,
  outer: readonly Step[],
  acted: Effect,
): Effect | undefined {
  const isStateful = (): boolean =>
    acted.kind === 'action' && (acted.toStatus ?? acted.verbInBody ?? acted.makes ?? acted.sets[0]) !== undefined
  const found = acted.kind === 'action' ? documentAction(survey, operation, outer, acted.verb, STATES) : undefined
  return found && !isStateful() ? found : undefined
}

function documentOf({ own }: PathSite): Schema | undefined {
  const get = own.get('GET')
  const { shape, schema } = findRecordShape(get && schemaOfResponse(get.draft.success), { nouns: [], keys: [] })
  return shape === 'record' && isObjectSchema(schema) ? schema : undefined
}

function settingsOn(schema: Schema, verb: string, given: readonly string[]): readonly ActionSetting[] {
  const own = settingsWithin(schema, verb, given)
  // `{ server: { state } }`: the only field holds the state.
  const [only, ...more] = [...fieldsOf(schema)]
  if (own.length > 0 || !only || more.length > 0 || !isObjectSchema(only[1])) return own
  return settingsWithin(only[1], verb, given).map((one) => ({ ...one, field: [only[0], ...one.field] }))
}

function settingsWithin(schema: Schema, verb: string, given: readonly string[]): readonly ActionSetting[] {
  const field = findStatusField(schema)
  const value = statusLedTo(verb, schema)
  const status = field && value !== undefined ? [{ field, to: { value } }] : []
  return [...status, ...settingsOf(verb, schema, { given })]
}
