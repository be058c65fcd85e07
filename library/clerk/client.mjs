import { createClerkClient } from '@clerk/backend'

export default function open({ url, key }) {
  return createClerkClient({ secretKey: `sk_test_${key}`, apiUrl: url })
}
