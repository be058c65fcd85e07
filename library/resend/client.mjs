import { Resend } from 'resend'

export default function open({ url, key }) {
  return new Resend(`re_${key}`, { baseUrl: url })
}

export function verify({ rawBody, type, headers, secret }) {
  const [id, timestamp, signature] = ['svix-id', 'svix-timestamp', 'svix-signature'].map((name) => headers[name])
  const shown = { payload: rawBody.toString(), headers: { id, timestamp, signature }, webhookSecret: secret }
  return new Resend('re_none').webhooks.verify(shown).type === type
}
