import { request as send } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** What a test puts in place of what a page would send. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** The node that is asked, where a proxy stands at `origin`. */
  readonly node?: string
}

/** Sends what a browser sends for a page of the dashboard at `origin`; `headers` override it. */
export function askAsPage(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body, node = origin }: Sent = {},
): Promise<Answer> {
  const all = {
    host: new URL(origin).host,
    'sec-fetch-site': 'same-origin',
    ...(method === 'GET' ? {} : { origin }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const sent = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return new Promise((resolve, reject) => {
    const request = send(node + path, { method, headers: sent, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
