import { Client } from '@sendgrid/client'
import { MailService } from '@sendgrid/mail'

export default function open({ url, key }) {
  const client = new Client()
  client.setApiKey(`SG.${key}`)
  client.setDefaultRequest('baseUrl', url)
  const mail = new MailService()
  mail.setClient(client)
  return { client, mail }
}
