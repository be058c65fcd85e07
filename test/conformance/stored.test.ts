import { holdAgainst } from './rule.ts'
import { SECTIONS } from './sections.ts'
import { storedTarget } from './served-target.ts'

holdAgainst(storedTarget, SECTIONS)
