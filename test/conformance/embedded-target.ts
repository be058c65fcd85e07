import { startService } from '../../src/service.ts'
import { ACCOUNTS, type Target } from './target.ts'

/** The service in this process, over real sockets. */
export const embeddedTarget: Target = {
  name: 'embedded',
  can: new Set(['accounts', 'sink', 'extensions', 'restrict']),
  start: async () => {
    const service = await startService({ https: true, accounts: ACCOUNTS })
    const { url, accountKey, ca } = service
    return { url, accountKey, ca, exemptSink: (sink) => service.exemptSink(sink), close: () => service.close() }
  },
}
