import { embeddedTarget } from './embedded-target.ts'
import { holdAgainst } from './rule.ts'
import { SECTIONS } from './sections.ts'

holdAgainst(embeddedTarget, SECTIONS)
