import { queried } from '../hubspot/queries.ts'
import { phone } from '../twilio/phone.ts'

export default { $phone: phone, $queried: queried }
