/**
 * `npm run release-check`: whether the package can be published with provenance. It names every fault and ends with 1. No part
 * of `npm test`, since the package has no public address yet. Another `package.json` may be named.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  private?: boolean
  license?: string
  repository?: string | { url?: string }
  homepage?: string
  bugs?: string | { url?: string }
  publishConfig?: { access?: string; provenance?: boolean }
}

const file = process.argv[2] ?? join(import.meta.dirname, '../package.json')
const faults = faultsOf(JSON.parse(readFileSync(file, 'utf8')) as Manifest)
for (const fault of faults) console.error(`package.json: ${fault}`)
if (faults.length > 0) {
  console.error('Failed to find the package ready to be published. Fill in what is missing, then release again.')
  process.exitCode = 1
} else console.log('package.json is ready to be published.')

function faultsOf({ license, repository, homepage, bugs, publishConfig, ...manifest }: Manifest): string[] {
  return [
    manifest.private && 'Expected `private` to be absent.',
    !license && 'Expected `license` to be there.',
    !addressOf(repository) &&
      'Expected `repository` to be the public address: npm compares it with where the package was built.',
    !homepage && 'Expected `homepage` to be there.',
    !addressOf(bugs) && 'Expected `bugs` to be there.',
    publishConfig?.access !== 'public' && 'Expected `publishConfig.access` to be "public".',
    publishConfig?.provenance !== true && 'Expected `publishConfig.provenance` to be true.',
  ].filter((fault) => typeof fault === 'string')
}

function addressOf(field: string | { url?: string } | undefined): string | undefined {
  return typeof field === 'object' ? field.url : field
}
