import { mixPair, pickBy } from '../../../runtime/random.ts'
import { kindOf } from '../kind.ts'
import { cityOf } from '../place.ts'
import type { Site } from '../site.ts'
import { INDUSTRIES } from '../words/companies.ts'
import { HOBBIES, JOB_TITLES } from '../words/people.ts'
import type { TextMaker } from './rule.ts'

/** What people say of themselves, and companies of what they do. */
export function bioOf({ owner }: Site): TextMaker {
  if (kindOf(owner) === 'company') {
    return ({ subject }) => {
      const industry = pickBy(INDUSTRIES, mixPair(subject, 0x696e))
      return `${industry} company from ${cityOf(subject).name}, founded by two friends.`
    }
  }
  return ({ subject }) => {
    const job = pickBy(JOB_TITLES, mixPair(subject, 0x6a6f))
    return `${job} in ${cityOf(subject).name}. ${pickBy(HOBBIES, mixPair(subject, 0x686f))}`
  }
}
