/**
 * Lets the examples find this package as `backlot`, as they would after an installation. They name a version of it, so that a
 * copy of them works anywhere; inside the repository that version is this one.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'examples/node_modules')
const link = join(folder, 'backlot')

mkdirSync(folder, { recursive: true })
rmSync(link, { force: true })
symlinkSync(join('..', '..'), link, process.platform === 'win32' ? 'junction' : 'dir')
