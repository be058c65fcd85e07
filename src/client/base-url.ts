/**
 * The address of a service without `/v1` and without a slash at its end.
 *
 * @param name its name in the error message.
 * @throws a TypeError for anything but an http or https URL.
 */
export function toBaseUrl(text: string, name = '`baseUrl`'): string {
  const { protocol = '' } = URL.parse(text) ?? {}
  if (protocol === 'http:' || protocol === 'https:') return text.replace(/\/+$/, '').replace(/\/v1$/, '')
  const shown = JSON.stringify(text)
  throw new TypeError(`Expected ${name} to be an http or https URL such as http://127.0.0.1:4010, got ${shown}.`)
}
