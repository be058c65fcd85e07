import { drawAt } from './cell.ts'
import { isMoneyName, priceAt } from './make-number.ts'
import { BUSINESS_RULES } from './rules/business.ts'
import { PEOPLE_RULES } from './rules/people.ts'
import { PLACE_RULES } from './rules/places.ts'
import { PROSE_RULES } from './rules/prose.ts'
import type { TextMaker } from './rules/rule.ts'
import { TECHNICAL_RULES } from './rules/technical.ts'
import type { Site } from './site.ts'
import { findBySuffix, readWords } from './suffix-words.ts'
import { makeUrl } from './url.ts'

type MakeText = (site: Site) => TextMaker

const RULES: ReadonlyMap<string, MakeText> = readWords(
  PEOPLE_RULES,
  PLACE_RULES,
  BUSINESS_RULES,
  TECHNICAL_RULES,
  PROSE_RULES,
)

/** Texts by the name of their field; undefined for names that tell nothing. */
export function nameRule(site: Site): TextMaker | undefined {
  if (isMoneyText(site)) return (cell) => priceAt(drawAt(cell, site.key), 2).toFixed(2)
  if (site.isLink && site.snake !== 'type' && site.snake !== 'method') return makeUrl(site)
  return findBySuffix(RULES, site.snake)?.(site)
}

/** Whether a field holds an amount as decimal text: `"49.90"`. */
function isMoneyText({ snake, schema, siblings }: Site): boolean {
  if (!isMoneyName(snake) || /_(?:type|name|method|currency|description|status|reason|at)$/.test(snake)) return false
  if (!/^-?\d*[.,]?\d*$/.test(String(schema.example ?? ''))) return false
  if (!/amount|price|total|balance|cost|fee|(?:^|_)value$|tax|subtotal/.test(snake)) return false
  return snake !== 'value' || siblings.has('currency_code') || siblings.has('currency')
}
