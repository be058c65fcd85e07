import type { Operation } from '../../src/service/openapi/model.ts'
import { learnKey, listIn, nounOf, wantedBy } from './answers.ts'
import { show } from './http.ts'
import type { Subject } from './open-simulation.ts'
import { type SimulationClient, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

/** Most records of one list that are read. */
const MOST_READS = 5

/** Whether each id that a list shows can be read: for each path that lists and has an item path right below it. */
export async function measureListThenRead({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  for (const { list, read } of pairsOf(model.operations)) {
    count(tally, list, await faultOf(list, read, client).catch((error: Error) => `threw ${error.message}`))
  }
  return tally
}

interface Pair {
  readonly list: Operation
  readonly read: Operation
}

/** Lists with the read of one record below them, by their paths alone. */
export function pairsOf(operations: readonly Operation[]): Pair[] {
  const gets = operations.filter(({ method }) => method === 'GET')
  const lists = new Map(gets.map((operation) => [plain(operation.path), operation]))
  return gets.flatMap((read) => {
    const base = /^(.*)\/\{[^{}/]+\}$/.exec(plain(read.path))?.[1]
    const list = base === undefined ? undefined : lists.get(base)
    const isList = list?.effect.kind === 'list' || list?.effect.kind === 'search'
    return list && isList && (read.effect.kind === 'read' || read.effect.kind === 'example') ? [{ list, read }] : []
  })
}

const plain = (path: string): string => path.replace(/\/$/, '').replace(/\.json$/, '')

async function faultOf(list: Operation, read: Operation, client: SimulationClient): Promise<string | undefined> {
  const sample = withLargestPage(list, client.sample(list))
  const { json, status } = await client.send(list, sample)
  if (status >= 400) return `list answered ${status} ${show(json)}`
  const items = listIn(json, nounOf(list.path))
  if (items === undefined || items.length === 0) return undefined
  const wanted = wantedBy(read)
  for (const item of items.slice(0, MOST_READS)) {
    const key = learnKey(item, wanted)
    if (key === undefined) return `no key in ${show(item)}`
    const asked = client.sample(read)
    for (const [name, value] of Object.entries(sample.params)) if (name in asked.params) asked.params[name] = value
    asked.params[wanted.param] = key
    const shown = await client.send(read, asked)
    if (shown.status !== 200 && shown.status !== read.success.status)
      return `read of ${key} answered ${shown.status} ${show(shown.json)}`
  }
  return undefined
}
