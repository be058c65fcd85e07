import { SquareClient, WebhooksHelper } from 'square'

export default function open({ url, key }) {
  const options = { baseUrl: url, maxRetries: 0 }
  return Object.assign(new SquareClient({ ...options, token: key }), {
    stranger: new SquareClient({ ...options, token: 'wrong' }),
    as: (token) => new SquareClient({ ...options, token }),
  })
}

export function verify({ rawBody, headers, secret, url }) {
  return WebhooksHelper.verifySignature({
    requestBody: rawBody.toString(),
    signatureHeader: headers['x-square-hmacsha256-signature'],
    signatureKey: secret,
    notificationUrl: url,
  })
}
