import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import { fieldsOf, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import type { Catalogue } from '../collections/catalogue.ts'
import { keyOfSteps } from '../paths/path-shape.ts'
import type { Placed } from '../paths/sites.ts'

/** What undoes another action, and that action. */
const UNDOES: ReadonlyMap<string, string> = new Map([
  ['detach', 'attach'],
  ['unassign', 'assign'],
  ['unlink', 'link'],
  ['disconnect', 'connect'],
  ['unbind', 'bind'],
  ['disassociate', 'associate'],
  ['unmount', 'mount'],
  ['unschedule', 'schedule'],
])

/** `POST /volumes/{id}/detach` beside `attach { server_id }`: the volume has no `server_id` afterwards. */
export function undoneSettings(
  catalogue: Catalogue,
  { shape }: Placed,
  schema: Schema | undefined,
): readonly ActionSetting[] {
  const last = shape.steps.at(-1)
  const done = last?.kind === 'static' ? UNDOES.get(last.text.toLowerCase()) : undefined
  if (done === undefined) return []
  const site = catalogue.sites.get(keyOfSteps([...shape.steps.slice(0, -1), { kind: 'static', text: done }]))
  const other = site?.own.get('POST') ?? site?.own.get('PUT')
  const fields = fieldsOf(schema)
  return [...fieldsOf(schemaOfBody(other?.draft.requestBody)).keys()]
    .filter((name) => isScalarSchema(fields.get(name)) && !schema?.required.has(name))
    .map((name) => ({ field: [name], to: 'cleared' }))
}
