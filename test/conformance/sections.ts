import type { Section } from './rule.ts'
import { accessAndKeys } from './rules/access-and-keys.ts'
import { authentication } from './rules/authentication.ts'
import { creation } from './rules/creation.ts'
import { deliveries } from './rules/deliveries.ts'
import { errors } from './rules/errors.ts'
import { extensions } from './rules/extensions.ts'
import { library } from './rules/library.ts'
import { reading } from './rules/reading.ts'
import { reads } from './rules/reads.ts'
import { records } from './rules/records.ts'
import { responseRules } from './rules/response-rules.ts'
import { states } from './rules/states.ts'
import { time } from './rules/time.ts'
import { webhooks } from './rules/webhooks.ts'

/** Every section of the specification, in its order. */
export const SECTIONS: readonly Section[] = [
  authentication,
  library,
  creation,
  reading,
  states,
  time,
  responseRules,
  webhooks,
  accessAndKeys,
  reads,
  deliveries,
  errors,
  extensions,
  records,
]
