import { holdAgainst } from './house.ts'
import { SECTIONS } from './sections.ts'
import { storedTarget } from './served-target.ts'

holdAgainst(storedTarget, SECTIONS)
