import Anthropic, { toFile } from '@anthropic-ai/sdk'

/** The SDK, with what a step cannot call: files of a text, streams and results read to their end. */
export default function open({ url, key }) {
  const anthropic = new Anthropic({ apiKey: key, baseURL: url })
  return Object.assign(anthropic, {
    upload: async (text, name) => anthropic.beta.files.upload({ file: await toFile(Buffer.from(text), name) }),
    keep: async (text, expires_in_seconds) =>
      anthropic.files.upload({ file: await toFile(Buffer.from(text), 'a.txt'), expires_in_seconds }),
    runTool: (body, result) => {
      const [tool] = body.tools
      return anthropic.beta.messages.toolRunner({ ...body, tools: [{ ...tool, run: () => result, parse: (x) => x }] })
    },
    streamMessage: (body) => anthropic.messages.stream(body).finalMessage(),
    resultsOf: async (id) => {
      const results = []
      for await (const result of await anthropic.messages.batches.results(id)) results.push(result)
      return results
    },
  })
}

export function verify({ rawBody, headers, secret }) {
  return (
    new Anthropic({ apiKey: 'none' }).beta.webhooks.unwrap(rawBody.toString(), { headers, key: secret }) !== undefined
  )
}
