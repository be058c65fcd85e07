import {
  type Due,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  type Json,
  type Kept,
  listOf,
  type Operations,
  shown,
  textOf,
  WorkOS,
  type WorkOSRequest,
} from './workos.ts'

/** The fault of an event, as the JSON schema of its action finds it. */
interface EventFault {
  readonly instancePath: string
  readonly keyword: string
  readonly message: string
}

/** The first metadata of another type than the schema's. */
function faultOfMetadata(at: string, schema: Json | undefined, metadata: Json | undefined): EventFault | undefined {
  const types = fieldsOf(fieldsOf(schema).properties ?? schema)
  for (const [name, value] of Object.entries(fieldsOf(metadata))) {
    const type = fieldsOf(types[name]).type ?? types[name]
    if (typeof type === 'string' && type !== typeof value && ['string', 'number', 'boolean'].includes(type))
      return { instancePath: `${at}/metadata/${name}`, keyword: 'type', message: `must be ${type}` }
  }
  return undefined
}

/** Where an event does not fit the schema of its action: its targets and its metadata. */
function faultOf(event: Fields, schema: Kept): EventFault | undefined {
  const targets = listOf(event.targets)
  const declared = listOf(schema.targets)
  if (!targets.some(({ type }) => declared.some((one) => one.type === type)))
    return { instancePath: '/targets/0/type', keyword: 'const', message: 'must be equal to constant' }
  const actor = faultOfMetadata('/actor', fieldsOf(schema.actor).metadata, fieldsOf(event.actor).metadata)
  return actor ?? faultOfMetadata('', schema.metadata, event.metadata)
}

/** Refuses an event that the schema of its action does not allow. */
function checkEvent(workos: WorkOSRequest, event: Fields): void {
  const invalid = { code: 'invalid_audit_log', message: 'Invalid Audit Log event' }
  if (!event.action || !event.actor || !event.targets)
    workos.refuseListed(invalid, 'required', 'action, actor and targets must be given.')
  const action = textOf(event.action)
  const version = event.version == null ? {} : { version: Number(event.version) }
  const schema = workos.records.audit_log_schemas.find({ action, ...version })
  const missing = `There is no schema of the action ${action}.`
  const found = schema ?? workos.refuseListed(invalid, 'schema_not_found', missing)
  const { message: text, ...fault } = faultOf(event, found) ?? {}
  const facts = { ...fault, code: 'invalid_event', reason: invalid.code, message: invalid.message, text }
  if (text !== undefined) workos.of.refuse(400, facts)
}

const HEAD = 'id,action,occurred_at,actor_type,actor_id,actor_name,target_type,target_id,location'

/** The line of an event in an export. */
const toLine = ({ id, event }: Kept): string => {
  const { action, occurred_at, actor, targets, context } = fieldsOf(event)
  const by = fieldsOf(actor)
  const target = listOf(targets)[0] ?? {}
  const place = fieldsOf(context).location
  return [id, action, occurred_at, by.type, by.id, by.name, target.type, target.id, place]
    .map((value) => (value == null ? '' : String(value)))
    .join(',')
}

/** Whether a list names a value; one that is not given names all. */
const names = (list: Json | undefined, ...values: (Json | undefined)[]): boolean =>
  list == null || values.some((value) => idsOf(list).includes(textOf(value)))

/** Whether an event is in an export. */
function isAsked({ event }: Kept, asked: Fields): boolean {
  const { action, occurred_at, actor, targets } = fieldsOf(event)
  const { name, id } = fieldsOf(actor)
  const at = textOf(occurred_at)
  return (
    at >= textOf(asked.range_start) &&
    at <= textOf(asked.range_end) &&
    names(asked.actions, action) &&
    names(asked.actor_names, name) &&
    names(asked.actor_ids, id) &&
    names(asked.targets, ...listOf(targets).map(({ type }) => type))
  )
}

const toExport = (file: Fields): Fields => shown('audit_log_exports', file)

export const auditLogs: Operations = {
  'POST /audit_logs/events': (workos) => {
    const { id: organization_id } = workos.find('organizations', workos.body.organization_id)
    const event = fieldsOf(workos.body.event)
    checkEvent(workos, event)
    workos.create('audit_log_events', { organization_id, event })
    return { success: true }
  },
  'POST /audit_logs/exports': (workos) => {
    workos.find('organizations', workos.body.organization_id)
    const asked = filled(workos.body, 'organization_id range_start range_end actions actor_names actor_ids targets')
    const fields = { asked, origin: workos.of.origin, ready_at: workos.later(30) }
    return toExport(workos.create('audit_log_exports', fields))
  },
  'GET /audit_logs/exports/{id}': (workos) => toExport(workos.find('audit_log_exports')),
  'GET /audit_logs/exports/{id}/file.csv': (workos) => {
    const asked = fieldsOf(workos.find('audit_log_exports').asked)
    const events = workos.records.audit_log_events.where({ organization_id: asked.organization_id ?? '' }).reverse()
    const lines = events.filter((event) => isAsked(event, asked)).map(toLine)
    return workos.of.respond({ headers: { 'Content-Type': 'text/csv' }, body: [HEAD, ...lines].join('\n') })
  },
  'POST /audit_logs/actions/{action}/schemas': (workos) => {
    const { action = '' } = workos.path
    const version = workos.records.audit_log_schemas.count({ action }) + 1
    const fields = { action, version, ...filled(workos.body, 'actor targets metadata') }
    return shown('audit_log_schemas', workos.create('audit_log_schemas', fields))
  },
  'GET /audit_logs/actions/{action}/schemas': (workos) => {
    const found = workos.records.audit_log_schemas.where({ action: workos.path.action ?? '' })
    return workos.list(found, (schema) => shown('audit_log_schemas', schema))
  },
}

export const exportReady = (due: Due): void => {
  const { origin, id } = due.record
  const url = `${origin}/audit_logs/exports/${id}/file.csv`
  new WorkOS(due).update('audit_log_exports', due.record, { state: 'ready', url })
}
