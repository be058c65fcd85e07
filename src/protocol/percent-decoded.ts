/** A text without its percent-encoding; unchanged where the encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
