/** Extra CPU time of a service per request while a page shows the simulation. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Page } from '@playwright/test'
import { ServiceProcess, type Target } from './service-process.ts'

/** Connections that requests are sent on. */
const CLIENTS = 8
/** Requests of a round: about a third of a second. */
const REQUESTS = 3_000
/** Rounds, one to each service, whose costs are compared. */
const PAIRS = 20
/** How often the page switches to the other service, and back. */
const CROSSINGS = 5

/** Sends a number of requests, as fast as responses allow. */
const SENDER = `
const { parentPort, workerData: { url, apiKey, clients } } = require('node:worker_threads')
const headers = { authorization: 'Bearer ' + apiKey }
parentPort.on('message', async (requests) => {
  let sent = 0
  const ask = async () => {
    while (sent++ < requests) await (await fetch(url, { headers })).arrayBuffer()
  }
  await Promise.all(Array.from({ length: clients }, ask))
  parentPort.postMessage('sent')
})
`

/**
 * Two services get the same requests in turn, in short rounds; a page is open on the one, then on the other. Of each pair of rounds is taken
 * what either process has computed from its beginning to its end, so that what a page asks later counts too. What makes one process faster
 * than the other is the same before and after a crossing, and cancels out.
 *
 * @returns one value for each crossing, in percent
 */
export async function costOfPage(open: (service: ServiceProcess, slug: string) => Promise<Page>): Promise<number[]> {
  const services = [new ServiceProcess(), new ServiceProcess()] as const
  try {
    for (const service of services) await service.ask('serviceUrl')
    const more: number[] = []
    for (let crossing = 0; crossing < CROSSINGS; crossing++) {
      const there = await compare(services, open)
      const back = await compare([services[1], services[0]], open)
      more.push((Math.sqrt(there * back) - 1) * 100)
    }
    return more
  } finally {
    for (const service of services) await service.close()
  }
}

/** Factor of the first service's CPU time with an open page. Both services get simulations that no page has shown before. */
async function compare(
  [seen, unseen]: readonly [ServiceProcess, ServiceProcess],
  open: (service: ServiceProcess, slug: string) => Promise<Page>,
): Promise<number> {
  const targets = [await seen.ask('another'), await unseen.ask('another')] as const
  const page = await open(seen, targets[0].slug)
  const [toSeen, toUnseen] = targets.map(startSender) as [Worker, Worker]
  const factors: number[] = []
  // The first rounds warm up.
  for (let pair = -2; pair < PAIRS; pair++) {
    const before = [await seen.ask('computed'), await unseen.ask('computed')] as const
    for (const sender of pair % 2 === 0 ? [toSeen, toUnseen] : [toUnseen, toSeen]) await sendRound(sender)
    const [more, less] = [(await seen.ask('computed')) - before[0], (await unseen.ask('computed')) - before[1]]
    if (pair >= 0) factors.push(more / less)
  }
  await page.context().close()
  await Promise.all([toSeen.terminate(), toUnseen.terminate()])
  factors.sort((left, right) => left - right)
  return factors[Math.floor(factors.length / 2)] ?? Number.NaN
}

function startSender({ url, apiKey }: Target): Worker {
  return new Worker(SENDER, { eval: true, workerData: { url: `${url}/v1/tasks?limit=1`, apiKey, clients: CLIENTS } })
}

async function sendRound(sender: Worker): Promise<void> {
  sender.postMessage(REQUESTS)
  await once(sender, 'message')
}
