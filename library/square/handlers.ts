import { apportioned } from '../stripe/apportioned.ts'
import { phone } from '../twilio/phone.ts'
import { autoTaxed, fulfilled, phaseAt, settled } from './orders.ts'

export default {
  $apportioned: apportioned,
  $autoTaxed: autoTaxed,
  $fulfilled: fulfilled,
  $phaseAt: phaseAt,
  $phone: phone,
  $settled: settled,
}
