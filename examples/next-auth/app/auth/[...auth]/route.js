import { handle } from '../../../auth.js'

export { handle as GET, handle as POST }
