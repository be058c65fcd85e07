import { rendered } from '../resend/rendered.ts'
import { phone } from '../twilio/phone.ts'

export default { $phone: phone, $rendered: rendered }
