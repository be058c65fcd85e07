import { notFound } from '../../protocol/errors.ts'
import { libraryQuery, type ServiceMeta } from '../../protocol/reads.ts'
import { sinkRequest } from '../../protocol/webhook.ts'
import { param, parseBody, parseQuery } from './call.ts'
import { json, noContent } from './respond.ts'
import type { Route } from './route.ts'

/** Creation fields and calls that the specification does not have (`decisions/002`). */
const EXTENSIONS = [
  'seed',
  'epoch',
  'validation',
  'strictParents',
  'behaviour',
  'rules',
  'https',
  'behaviour-read',
  'snapshots',
  'clock',
  'event-stream',
  'webhook-list',
  'webhook-delete',
  'webhook-enable',
  'deliveries',
  'deliveries-advance',
  'deliveries-settled',
  'webhook-faults',
  'openapi',
] as const

/** What belongs to the account and the service: library, usage, what is offered, sinks of a run. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/library',
    answer: async ({ library }, call) => json({ data: await library.search(parseQuery(call, libraryQuery)) }),
  },
  { method: 'GET', path: '/v1/usage', answer: (_parts, { account }) => json(account.usage()) },
  {
    method: 'GET',
    path: '/v1/meta',
    answer: ({ version, workerSinks }) =>
      json({
        name: 'backlot',
        version: version(),
        extensions: [...EXTENSIONS, ...(workerSinks ? ['worker-sinks'] : [])],
      } satisfies ServiceMeta),
  },
  {
    method: 'GET',
    path: '/v1/openapi.json',
    answer: async ({ version, workerSinks }, { origin }) => {
      const { composeDocument } = await import('./openapi-document.ts')
      return json(composeDocument({ version: version(), url: origin, workerSinks }))
    },
  },
]

/** Only of a service that was started with `workerSinks`. */
export const SINK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/sinks',
    answer: async ({ sinks, runtime }, call) => {
      const { port, ca } = await parseBody(call, sinkRequest)
      const id = runtime.uuid()
      sinks.add(call.account, id, { ip: '127.0.0.1', port, ca })
      return json({ id }, 201)
    },
  },
  {
    method: 'DELETE',
    path: '/v1/sinks/:sinkId',
    answer: ({ sinks }, call) => {
      if (!sinks.remove(call.account, param(call, 'sinkId'))) throw notFound('No such sink in this account.')
      return noContent()
    },
  },
]
