import { embeddedTarget } from './embedded-target.ts'
import { holdAgainst } from './house.ts'
import { SECTIONS } from './sections.ts'

holdAgainst(embeddedTarget, SECTIONS)
