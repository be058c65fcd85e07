import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MOST_BYTES, proveEntry } from '../../src/cli/prove-entry.ts'

const LIBRARY = join(import.meta.dirname, '../../library')

it.each(readdirSync(LIBRARY).filter((slug) => existsSync(join(LIBRARY, slug, 'verify.yaml'))))(
  '%s does what its proof says, which leaves out no type of event and parameter, whose events fit their schemas, whose answers have no fillers, and the provider verifies each delivery',
  async (slug) => {
    const { bytes, warnings, sdk, unread, proved } = await proveEntry(join(LIBRARY, slug))

    expect(warnings).toEqual([])
    expect(unread).toEqual([])
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(proved).toMatchObject({ isOfficial: true, unseen: [], unfit: [], fillers: [] })
    expect(sdk?.isInRange).toBe(true)
  },
)
