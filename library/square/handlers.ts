import { apportioned } from '../stripe/apportioned.ts'
import { phone } from '../twilio/phone.ts'
import { attributes } from './attributes.ts'
import { autoTaxed, fulfilled, phaseAt, settled } from './orders.ts'
import { resources } from './plain.ts'

export default {
  ...attributes,
  ...resources,
  $apportioned: apportioned,
  $autoTaxed: autoTaxed,
  $fulfilled: fulfilled,
  $phaseAt: phaseAt,
  $phone: phone,
  $settled: settled,
}
