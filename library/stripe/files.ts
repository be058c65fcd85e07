import { fieldsOf, type Json, type Kept, type Operations, type Steps, type Stripe, textOf, without } from './stripe.ts'

function newLink(stripe: Stripe, fields: Readonly<Record<string, Json | undefined>>): Kept {
  const { file_links } = stripe.records
  const { id } = file_links.create(fields)
  return file_links.update(id, { url: `${stripe.pageHost('files')}/links/${id}` })
}

const bytesOf = (stripe: Stripe, id: string | undefined): object =>
  stripe.of.respond({ body: Buffer.from(textOf(stripe.own('files', id).base64), 'base64') })

/** Files that were sent, and links to them for people without a key. */
export const files: Operations = {
  'POST /v1/files': (stripe) => {
    const { records, body } = stripe
    const [sent] = stripe.of.files
    if (sent === undefined)
      return stripe.refuse('Missing required param: file.', { param: 'file', reason: 'parameter_missing' })
    const { id } = stripe.next()
    const url = `${stripe.pageHost('files')}/v1/files/${id}/contents`
    const type = sent.name.split('.').at(-1)
    const facts = { filename: sent.name, size: sent.size, base64: sent.base64 ?? '', type, url }
    const file = records.files.update(id, facts)
    const link = fieldsOf(body.file_link_data)
    if (link.create !== true) return file
    const data = [newLink(stripe, { ...without(link, 'create'), file: id })]
    return records.files.update(id, { links: { ...fieldsOf(file.links), data } })
  },
  'GET /v1/files/{file}/contents': (stripe) => bytesOf(stripe, stripe.path.file),
  'GET /links/{id}': (stripe) => {
    const { id, expired, file } = stripe.own('file_links')
    if (expired === true) stripe.refuse(`The link ${id} has expired.`, { status: 404 })
    return bytesOf(stripe, textOf(file))
  },
  'POST /v1/file_links': (stripe) => {
    const { file } = stripe.body
    if (stripe.records.files.get(file) === undefined) stripe.absent('file upload', file, 'file')
    const { id } = stripe.next()
    return stripe.records.file_links.update(id, { url: `${stripe.pageHost('files')}/links/${id}` })
  },
  'POST /v1/file_links/{link}': (stripe) => {
    const link = stripe.next()
    if (stripe.body.expires_at !== 'now') return link
    return stripe.records.file_links.update(link.id, { expires_at: stripe.unix, expired: true })
  },
}

export const fileSteps: Steps = {
  expireLink: ({ records }, { id }) => records.file_links.update(id, { expired: true }),
}
