import { apportioned } from '../stripe/apportioned.ts'
import { phone } from '../twilio/phone.ts'
import { fulfilled, settled } from './orders.ts'

export default { $apportioned: apportioned, $fulfilled: fulfilled, $phone: phone, $settled: settled }
