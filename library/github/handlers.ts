import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { compareItems, diffLines, directoryOf } from './files.ts'
import { htmlOf } from './markdown.ts'
import { searched } from './searched.ts'

/** Words before the number of a closed issue: `fixes #12`. */
const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,15})\b/gi

const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export default {
  $closes: (text: Json) => [...valueText(text).matchAll(CLOSING)].map(([, number]) => Number(number)),
  $compared: ({ before, after, by = 'id' }: JsonObject) => compareItems(itemsIn(before), itemsIn(after), valueText(by)),
  $diff: ({ before, after }: JsonObject) => diffLines(valueText(before), valueText(after)),
  $directory: ({ of, path = '', below }: JsonObject) =>
    directoryOf(itemsIn(of).filter(isJsonObject), valueText(path), below === true),
  $markdown: (text: Json) => htmlOf(valueText(text)),
  $searched: searched,
}
