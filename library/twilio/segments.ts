/**
 * Characters of GSM 03.38; those of its extension take two places. Past Latin-1 as escapes: one such letter in a file
 * makes V8 keep it with two bytes per character.
 */
const BASIC =
  /^[@£$¥èéùìòÇ\nØø\rÅå\u0394_\u03a6\u0393\u039b\u03a9\u03a0\u03a8\u03a3\u0398\u039eÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|\u20ac]*$/
const EXTENDED = /[\^{}\\[~\]|\u20ac]/g

/** Number of messages for a text. */
export function segmentsOf(text: string): number {
  const isBasic = BASIC.test(text)
  const length = text.length + (isBasic ? (text.match(EXTENDED)?.length ?? 0) : 0)
  const [one, several] = isBasic ? [160, 153] : [70, 67]
  return length <= one ? 1 : Math.ceil(length / several)
}
