import { notFound } from '../../protocol/errors.ts'
import { listExtensions } from '../../protocol/extensions.ts'
import type { Handlers } from './handlers.ts'

/** Endpoints of the account and the service: library, usage, extensions, sinks of a run. */
export const ACCOUNT_HANDLERS = {
  searchLibrary: async ({ query }, { library }) => ({ data: await library.search(query) }),

  readUsage: async ({ account }, { simulations: { stored } }) => {
    await stored?.usage.read()
    return account.usage(await stored?.count(account))
  },

  readMeta: (_call, parts) => ({ name: 'backlot', version: parts.version(), extensions: listExtensions(parts) }),

  readDescription: async ({ origin }, { version, workerSinks }) => {
    const { composeDocument } = await import('./openapi-document.ts')
    return composeDocument({ version: version(), url: origin, workerSinks })
  },

  registerSink: ({ account, body: { port, ca } }, { sinks, runtime }) => {
    const id = runtime.uuid()
    sinks.add(account, id, { ip: '127.0.0.1', port, ca })
    return { id }
  },

  removeSink: ({ account, parameters }, { sinks }) => {
    if (!sinks.remove(account, parameters.sinkId)) throw notFound('No such sink in this account.')
  },
} satisfies Partial<Handlers>
