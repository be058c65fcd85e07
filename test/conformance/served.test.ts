import { holdAgainst } from './house.ts'
import { SECTIONS } from './sections.ts'
import { servedTarget } from './served-target.ts'

holdAgainst(servedTarget, SECTIONS)
