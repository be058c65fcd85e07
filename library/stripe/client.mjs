import Stripe from 'stripe'

export default function open({ url, key }) {
  const { hostname, port, protocol } = new URL(url)
  return new Stripe(`sk_test_${key}`, { host: hostname, port, protocol: protocol.slice(0, -1), maxNetworkRetries: 0 })
}

export function verify({ rawBody, type, headers, secret }) {
  return Stripe.webhooks.constructEvent(rawBody, headers['stripe-signature'], secret).type === type
}
