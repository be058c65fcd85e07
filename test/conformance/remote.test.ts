import { it } from 'vitest'
import { remoteTarget } from './remote-target.ts'
import { holdAgainst } from './rule.ts'
import { SECTIONS } from './sections.ts'

const target = remoteTarget(process.env)

if (target === undefined) it.skip('a service elsewhere: none is named (npm run conformance -- --url <url> --key <key>)')
else holdAgainst(target, SECTIONS)
