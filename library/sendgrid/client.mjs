import { Client } from '@sendgrid/client'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { MailService } from '@sendgrid/mail'

export default function open({ url, key }) {
  const client = new Client()
  client.setApiKey(`SG.${key}`)
  client.setDefaultRequest('baseUrl', url)
  const mail = new MailService()
  mail.setClient(client)
  return { client, mail }
}

export function verify({ rawBody, headers, secret }) {
  const verifier = new EventWebhook()
  const [signature, time] = ['signature', 'timestamp'].map((name) => headers[`x-twilio-email-event-webhook-${name}`])
  return verifier.verifySignature(verifier.convertPublicKeyToECDSA(secret), rawBody, signature, time)
}
