import { queried } from '../hubspot/queries.ts'

export default { $queried: queried }
