import { SquareClient, WebhooksHelper } from 'square'

export default function open({ url, key }) {
  const options = { baseUrl: url, maxRetries: 0 }
  const client = new SquareClient({ ...options, token: key })
  const apis = { invoices: client.invoices, loyaltyAccounts: client.loyalty.accounts, vendors: client.vendors }
  return Object.assign(client, {
    found: async (name, asked) => (await apis[name].search(asked))[name] ?? [],
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
