import { expect, it } from 'vitest'
import { startService } from '../../src/service.ts'
import { SIGNED_IN_ACROSS, signInAcross } from '../sign-in/open-sign-in.ts'
import { findPostgres, startPostgres } from '../store/postgres.ts'

const bin = findPostgres()

it.skipIf(bin === undefined)(
  'ends a sign-in at another node over PostgreSQL than the one that it began at',
  async () => {
    const postgres = await startPostgres(bin ?? '')
    const store = await postgres.createDatabase()
    const simulations = [{ library: 'oidc', slug: 'accounts' }]
    const start = () => startService({ addresses: 'path', pages: true, simulations, store })
    const [first, second] = [await start(), await start()]

    const ended = await signInAcross(`${first.url}/s/accounts`, `${second.url}/s/accounts`)

    await Promise.all([first.close(), second.close()])
    await postgres.close()
    expect(ended).toEqual(SIGNED_IN_ACROSS)
  },
)
