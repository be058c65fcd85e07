import { Client } from '@sendgrid/client'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { MailService } from '@sendgrid/mail'

export default function open({ url, key }) {
  const as = (apiKey) => {
    const client = new Client()
    client.setApiKey(apiKey)
    client.setDefaultRequest('baseUrl', url)
    return client
  }
  const client = as(`SG.${key}`)
  const mail = new MailService()
  mail.setClient(client)
  return { as, client, mail }
}

export function verify({ rawBody, headers, secret }) {
  const verifier = new EventWebhook()
  const [signature, time] = ['signature', 'timestamp'].map((name) => headers[`x-twilio-email-event-webhook-${name}`])
  return verifier.verifySignature(verifier.convertPublicKeyToECDSA(secret), rawBody, signature, time)
}
