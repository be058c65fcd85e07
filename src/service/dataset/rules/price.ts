import { fraction } from '../../../runtime/random.ts'
import { subjectFrom } from '../words/person.ts'

/** A usual price: in whole minor units, or with `decimals`. */
export function priceAt(draw: number, decimals: number): number {
  const share = fraction(draw)
  const major = 4 + Math.floor(share * share * 240)
  const minor = [0, 0, 50, 90, 95, 99][subjectFrom(draw) % 6] as number
  return decimals === 0 ? major * 100 + minor : (major * 100 + minor) / 100
}
