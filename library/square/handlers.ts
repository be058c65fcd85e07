import { apportioned } from '../stripe/apportioned.ts'
import { phone } from '../twilio/phone.ts'

export default { $apportioned: apportioned, $phone: phone }
