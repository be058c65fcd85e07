import { holdAgainst } from './rule.ts'
import { SECTIONS } from './sections.ts'
import { servedTarget } from './served-target.ts'

holdAgainst(servedTarget, SECTIONS)
