import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import type { Effect } from '../../model.ts'
import type { SettingFinder } from '../actions/setting-rules.ts'
import { statusLedTo } from '../actions/status.ts'
import { fieldsOf, isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findRecordShape } from '../bodies/shapes.ts'
import { findStatusField } from '../collections/record-fields.ts'
import { keyOfSteps, type Step } from '../paths/path-shape.ts'
import type { PathSite } from '../paths/sites.ts'
import type { Case, Survey } from './rule.ts'

/** Words at the end of paths that show a state. */
const SHOWS = ['', 'status', 'state', 'settings', 'config']
/** `POST /recordings/start` next to `GET /recordings/status`, `PUT /maintenance/enable` next to `GET /maintenance`. */
export function documentAction({ build, catalogue, settings }: Survey, operation: Case): Effect | undefined {
  const { draft, outer, isRead, word } = operation
  if (isRead) return undefined
  for (const text of SHOWS) {
    const steps: readonly Step[] = text === '' ? outer : [...outer, { kind: 'static', text }]
    const site = steps.length > 0 ? catalogue.sites.get(keyOfSteps(steps)) : undefined
    const schema = site && !catalogue.shownAt(steps) ? documentOf(site) : undefined
    const sets = schema ? settingsOn(schema, draft.method === 'DELETE' ? `un${word}` : word, settings) : []
    if (site && sets.length > 0) return { ...build.singleton(operation, site, 'singletonUpdate'), sets } as Effect
  }
  return undefined
}

function documentOf({ own }: PathSite): Schema | undefined {
  const get = own.get('GET')
  const { shape, schema } = findRecordShape(get && schemaOfResponse(get.draft.success), { nouns: [], keys: [] })
  return shape === 'record' && isObjectSchema(schema) ? schema : undefined
}

function settingsOn(schema: Schema, verb: string, settings: SettingFinder): readonly ActionSetting[] {
  const own = settingsWithin(schema, verb, settings)
  // `{ server: { state } }`: the only field holds the state.
  const [only, ...more] = [...fieldsOf(schema)]
  if (own.length > 0 || !only || more.length > 0 || !isObjectSchema(only[1])) return own
  return settingsWithin(only[1], verb, settings).map((one) => ({ ...one, field: [only[0], ...one.field] }))
}

function settingsWithin(schema: Schema, verb: string, settings: SettingFinder): readonly ActionSetting[] {
  const field = findStatusField(schema)
  const value = statusLedTo(verb, schema)
  const status = field && value !== undefined ? [{ field, to: { value } }] : []
  return [...status, ...settings.settingsOf(verb, schema)]
}
