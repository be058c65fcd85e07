import { apportioned } from '../shared/apportioned.ts'
import { phone } from '../shared/phone.ts'
import { attributes } from './attributes.ts'
import { bookings } from './bookings.ts'
import { catalog } from './catalog.ts'
import { autoTaxed, fulfilled, phaseAt, recipientOf, settled } from './orders.ts'
import { resources } from './resources.ts'
import { wageSettings } from './wages.ts'

export default {
  ...{ ...attributes, ...bookings, ...catalog, ...resources, ...wageSettings },
  $apportioned: apportioned,
  $autoTaxed: autoTaxed,
  $fulfilled: fulfilled,
  $phaseAt: phaseAt,
  $phone: phone,
  $recipientOf: recipientOf,
  $settled: settled,
}
