import { handlers, type OperationContext } from '../../../src/handlers.ts'

type Fields = Record<string, unknown>
interface Jar {
  id: number
  rack_id: number
}
interface Rack {
  id: number
  house: string
  last: number
}

const rackOf = ({ records, path, refuse }: OperationContext): Rack =>
  (records.racks?.find({ house: String(path.house), room: String(path.room) }) ?? refuse(404)) as unknown as Rack
const jarOf = (context: OperationContext): Jar =>
  (context.records.jars?.find({ rack_id: rackOf(context).id, number: Number(context.path.number) }) ??
    context.refuse(404)) as unknown as Jar
const shown = ({ records }: OperationContext, jar: Jar): Fields => ({
  ...jar,
  rack: records.racks?.get(jar.rack_id)?.house,
})

export default handlers({
  'POST /racks/{house}/{room}/jars': (context: OperationContext) => {
    const { body, records, respond } = context
    const rack = rackOf(context)
    const number = rack.last + 1
    records.racks?.update(rack.id, { last: number })
    const jar = records.jars?.create({ rack_id: rack.id, number, label: body.label }) as unknown as Jar
    const headers = { 'X-Rack': String(rack.id), 'Content-Type': 'application/json' }
    return respond({ headers, body: JSON.stringify(shown(context, jar)) })
  },
  'GET /racks/{house}/{room}/jars/{number}': (context: OperationContext) => shown(context, jarOf(context)),
  'DELETE /racks/{house}/{room}/jars/{number}': (context: OperationContext) => {
    context.records.jars?.remove(jarOf(context).id)
    return null
  },
})
