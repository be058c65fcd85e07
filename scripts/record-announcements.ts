/**
 * Loaded into test runners by `npm run demo` (`NODE_OPTIONS=--import`): writes what the fixtures announce on the diagnostics
 * channel `backlot` to the file `BACKLOT_DEMO_RECORD`, one JSON object a line.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

const file = process.env.BACKLOT_DEMO_RECORD

if (file) subscribe('backlot', (message) => appendFileSync(file, `${JSON.stringify(message)}\n`))
