import { Client } from '@hubspot/api-client'
import { Signature } from '@hubspot/api-client/lib/src/utils/signature.js'

export default function open({ url, key }) {
  const options = { basePath: url, limiterOptions: { id: 'backlot', minTime: 0, maxConcurrent: 10 } }
  const client = new Client({ ...options, accessToken: `pat-na1-${key}` })
  const developer = new Client({ ...options, developerApiKey: key })
  const stranger = new Client({ ...options, accessToken: 'pat-na1-wrong' })
  const post = (path, body) => client.apiRequest({ method: 'POST', path: `/crm/v3/objects/${path}`, body })
  const merge = async (type, body) => (await post(`${type}/merge`, body)).json()
  const purge = async (body) => (await post('contacts/gdpr-delete', body)).status
  const ask = async (method, path, body) => (await client.apiRequest({ method, path, body })).json()
  const { crm, oauth, files, communicationPreferences, marketing, conversations, events, settings } = client
  const upload = (name, folderPath, options) =>
    files.filesApi.upload({ data: Buffer.from('text'), name }, undefined, folderPath, undefined, undefined, options)
  const read = async (id) => ({ text: await (await fetch((await files.filesApi.getById(id)).url)).text() })
  const importCsv = (text, request) =>
    crm.imports.coreApi.create({ data: Buffer.from(text), name: 'a.csv' }, JSON.stringify(request))
  const readCsv = async (address) => {
    const lines = (await (await fetch(address)).text()).split('\n')
    return { rows: lines.map((line) => line.slice(line.indexOf(',') + 1)) }
  }
  const parts = { crm, oauth, files, communicationPreferences, marketing, conversations, events, settings }
  return {
    ...parts,
    importCsv,
    readCsv,
    upload,
    read,
    ask,
    webhooks: developer.webhooks,
    timeline: developer.crm.timeline,
    stranger: stranger.crm,
    merge,
    purge,
  }
}

export function verify({ rawBody, headers, secret, url }) {
  const shown = { clientSecret: secret, requestBody: rawBody.toString(), url }
  const timestamp = Number(headers['x-hubspot-request-timestamp'])
  return (
    Signature.isValid({ ...shown, signatureVersion: 'v1', signature: headers['x-hubspot-signature'] }) &&
    Signature.isValid({ ...shown, signatureVersion: 'v3', signature: headers['x-hubspot-signature-v3'], timestamp })
  )
}
