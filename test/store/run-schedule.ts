import { History } from '../../bench/chaos/history.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fraction, mixPair, pickBy } from '../../src/runtime/random.ts'
import type { Store } from '../../src/service/store/store.ts'
import { type Fault, FaultyStore } from './faulty-store.ts'
import { MemoryStore } from './memory/memory-store.ts'
import { createIn, type NodeUnderTest, openNode } from './nodes.ts'
import { VirtualTime } from './virtual-time.ts'

export const FAULTS: readonly Fault[] = ['none', 'none', 'none', 'late', 'before', 'after', 'behind']

/** Three clients at two nodes over one store, drawn from `seed`. */
export async function runSchedule(seed: number, broken = (store: Store): Store => store) {
  const time = new VirtualTime()
  const { runtime } = time
  let draws = 0
  const draw = () => mixPair(seed, ++draws)
  let isCalm = true
  const store = new MemoryStore(runtime.clock)
  const faulty = new FaultyStore(store, runtime, () => (isCalm ? 'none' : pickBy(FAULTS, draw())))
  await createIn(store, runtime)
  const nodes = await Promise.all([openNode(broken(faulty), runtime), openNode(broken(faulty), runtime)])
  const history = new History()
  const register = await time.run(firstThing(nodes[0] as NodeUnderTest))
  isCalm = false

  const client = async (name: string) => {
    for (let step = 0; step < 8; step++) {
      await runtime.sleep(fraction(draw()) * 40)
      const [node, other] = fraction(draw()) < 0.5 ? nodes : nodes.toReversed()
      const kind = pickBy(
        name === 'writer' ? ['write', 'write', 'create'] : ['create', 'create', 'read', 'read', 'forward'],
        draw(),
      )
      const thing = `${name}-${step}`
      // What the service refuses (503) has no outcome that is known.
      await act(kind, thing, node as NodeUnderTest, other as NodeUnderTest, step).catch(() => {})
    }
  }
  const act = async (kind: string, name: string, node: NodeUnderTest, other: NodeUnderTest, step: number) => {
    if (kind === 'create') {
      const acknowledge = history.create(name)
      const { status } = await node.call('POST', '/things', { name })
      if (status !== 201) return
      acknowledge()
      const { body } = await other.call('GET', '/things?limit=500')
      if (!listOf(body).some((thing) => thing.name === name))
        history.violations.push(`${name} is not on the other node`)
    } else if (kind === 'write') {
      const acknowledge = history.write(step + 1)
      const { status } = await node.call('PATCH', `/things/${register}`, { value: step + 1 })
      if (status === 200) acknowledge()
    } else if (kind === 'read') {
      const from = history.now()
      const { status, body } = await node.call('GET', `/things/${register}`)
      if (status === 200) history.read(name.replace(/-\d+$/, ''), Number(body.value), from)
    } else await node.simulation.fastForward(2)
  }
  await time.run(Promise.all([client('writer'), client('left'), client('right')]))

  isCalm = true
  const fresh = await openNode(store, runtime)
  const all = listOf((await time.run(fresh.call('GET', '/things?limit=500'))).body)
  const dumps = await Promise.all(
    [...nodes, fresh].map((node) => time.run(Promise.resolve(node.simulation.run(() => dumpOf(node))))),
  )
  for (const { simulation } of [...nodes, fresh]) await simulation.close()
  const { lost, doubled } = history.check(all)
  const problems = { lost, doubled, violations: history.violations, dumps: new Set(dumps).size }
  const acknowledged = history.acknowledged.creations + history.writes.length
  return { problems, acknowledged, suffered: Object.keys(faulty.suffered) }
}

/** All but the time of the last command, in which equal cores may differ. */
const dumpOf = ({ simulation }: NodeUnderTest): string => JSON.stringify({ ...simulation.dump(), at: 0 })

async function firstThing(node: NodeUnderTest): Promise<string> {
  const [first] = listOf((await node.call('GET', '/things')).body)
  const id = String(first?.id)
  await node.call('PATCH', `/things/${id}`, { value: 0 })
  return id
}

const listOf = (body: unknown): JsonObject[] =>
  (Array.isArray(body) ? body : (Object.values(body as object).find(Array.isArray) ?? [])) as JsonObject[]
