import { Client, LogLevel, verifyWebhookSignature } from '@notionhq/client'

/** The SDK, with one of the version before data sources, one of the newest, one without a version, and the upload of a text. */
export default function open({ url, key }) {
  const options = { auth: key, baseUrl: url, retry: false, logLevel: LogLevel.ERROR }
  const notion = new Client(options)
  const old = new Client({ ...options, notionVersion: '2022-06-28' })
  const newest = new Client({ ...options, notionVersion: '2026-03-11' })
  const create = async (filename) => notion.fileUploads.create({ mode: 'single_part', filename })
  return Object.assign(notion, {
    old,
    newest,
    stranger: new Client({ ...options, auth: 'ntn_wrong' }),
    queryOld: (id, body) => old.request({ path: `databases/${id}/query`, method: 'post', body }),
    upload: async (text, name) =>
      notion.fileUploads.send({
        file_upload_id: (await create(name)).id,
        file: { filename: name, data: new Blob([text], { type: 'text/plain' }) },
      }),
    uploadParts: async (texts, filename) => {
      const { id } = await notion.fileUploads.create({ mode: 'multi_part', filename, number_of_parts: texts.length })
      for (const [at, text] of texts.entries())
        await notion.fileUploads.send({
          file_upload_id: id,
          part_number: String(at + 1),
          file: { filename, data: new Blob([text], { type: 'text/plain' }) },
        })
      return notion.fileUploads.complete({ file_upload_id: id })
    },
    withoutVersion: async () => {
      const answer = await fetch(`${url}/v1/users/me`, { headers: { authorization: `Bearer ${key}` } })
      return { status: answer.status, ...(await answer.json()) }
    },
  })
}

export function verify({ rawBody, headers, secret }) {
  return verifyWebhookSignature({
    body: rawBody.toString(),
    signature: headers['x-notion-signature'],
    verificationToken: secret,
  })
}
