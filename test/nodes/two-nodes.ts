import { ManagementClient } from '../../src/client/management-client.ts'
import { type OperatedServe, startOperatedServe } from '../operations/operated.ts'
import { RoundRobin } from './round-robin.ts'

const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'

/** Two nodes over one database, behind a balancer that gives connections in turn. */
export interface TwoNodes extends AsyncDisposable {
  readonly nodes: readonly OperatedServe[]
  readonly client: ManagementClient
  /** What points a suite at them. */
  readonly env: Readonly<Record<string, string>>
}

export async function startTwoNodes(store: string, args: readonly string[] = []): Promise<TwoNodes> {
  const start = () => startOperatedServe(['--store', store, '--account-key', ACCOUNT_KEY, ...args])
  const nodes = await Promise.all([start(), start()])
  const balancer = new RoundRobin(nodes.map(({ url }) => Number(new URL(url).port)))
  const baseUrl = `http://127.0.0.1:${await balancer.listen()}`
  const client = new ManagementClient({ baseUrl, accountKey: ACCOUNT_KEY })
  return {
    nodes,
    client,
    env: { BACKLOT_URL: baseUrl, BACKLOT_ACCOUNT_KEY: ACCOUNT_KEY },
    async [Symbol.asyncDispose]() {
      await client.close()
      await balancer[Symbol.asyncDispose]()
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
