import { type Fields, fieldsOf, type Json, type Kept, listOf, type Notion, plainOf } from './notion.ts'

/** The type of a relation that the pages of both sides show. */
export const DUAL = 'dual_property'

const dualsOf = (schema: unknown): Fields[] =>
  listOf(schema as Json).filter(({ relation }) => fieldsOf(relation).type === DUAL)
const syncedOf = ({ relation }: Fields): Fields => fieldsOf(fieldsOf(relation)[DUAL])

/** Puts a property into a schema, in place of the one with its id. */
function put({ records }: Notion, id: unknown, config: Fields): void {
  const schema = listOf(records.data_sources.get(String(id))?.schema)
  const at = schema.findIndex((one) => one.id === config.id)
  records.data_sources.update(String(id), { schema: schema.toSpliced(at < 0 ? schema.length : at, 1, config) })
}

/** Keeps the other sides of a data source's relations in step with its schema. @param before its schema */
export function pairRelations(notion: Notion, source: Kept, before?: unknown): void {
  const duals = dualsOf(source.schema)
  for (const gone of dualsOf(before).filter(({ id }) => !duals.some((one) => one.id === id))) {
    const other = notion.records.data_sources.get(String(fieldsOf(gone.relation).data_source_id))
    const schema = listOf(other?.schema).filter(({ id }) => id !== syncedOf(gone).synced_property_id)
    if (other) notion.records.data_sources.update(other, { schema })
  }
  for (const config of duals) {
    const relation = fieldsOf(config.relation)
    const { synced_property_id: id = notion.of.id().slice(3, 7), synced_property_name } = syncedOf(config)
    const name = synced_property_name ?? `Related to ${plainOf(source.title)} (${config.name})`
    const dual = { synced_property_id: config.id ?? null, synced_property_name: config.name ?? null }
    const back = { database_id: source.database_id ?? null, data_source_id: source.id, type: DUAL, [DUAL]: dual }
    put(notion, relation.data_source_id, { id, name, description: null, type: 'relation', relation: back })
    const synced = { synced_property_id: id, synced_property_name: name }
    put(notion, source.id, { ...config, relation: { ...relation, [DUAL]: synced } })
  }
}

const idsIn = (values: unknown, id: unknown): Fields[] =>
  listOf(listOf(values as Json).find((value) => value.id === id)?.value)

/** Shows a page in the pages that it is related to, and no more in those of before. */
export function relate({ records }: Notion, page: Kept, source: Kept | undefined, before: unknown): void {
  for (const config of dualsOf(source?.schema)) {
    const [old, now] = [before, page.values].map((values) => idsIn(values, config.id).map(({ id }) => String(id)))
    const back = syncedOf(config).synced_property_id ?? null
    for (const id of new Set([...(old ?? []), ...(now ?? [])])) {
      const values = listOf(records.pages.get(id)?.values)
      const others = idsIn(values, back).filter((one) => one.id !== page.id)
      const value = now?.includes(id) ? [...others, { id: page.id }] : others
      records.pages.update(id, { values: [...values.filter((one) => one.id !== back), { id: back, value }] })
    }
  }
}
