import { phone } from '../shared/phone.ts'
import { rendered } from '../shared/rendered.ts'

export default { $phone: phone, $rendered: rendered }
