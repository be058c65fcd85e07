/** Headers that curl writes itself. */
const OWN = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'user-agent', 'transfer-encoding'])

/** A request as a command line. */
export function toCurl(request: {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
}): string {
  const { method, url, headers, body } = request
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !OWN.has(name))
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

/** A word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
