import { phone } from '../shared/phone.ts'
import { queried } from '../shared/queries.ts'

export default { $phone: phone, $queried: queried }
