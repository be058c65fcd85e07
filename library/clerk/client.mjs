import { createClerkClient, verifyToken } from '@clerk/backend'
import { verifyWebhook } from '@clerk/backend/webhooks'

export default function open({ url, key }) {
  const secretKey = `sk_test_${key}`
  const publishableKey = `pk_test_${btoa('clerk.backlot.example$')}`
  const client = createClerkClient({ secretKey, publishableKey, apiUrl: url, telemetry: { disabled: true } })
  const file = new Blob(['image'], { type: 'image/png' })
  return Object.assign(client, {
    withImage: (id) => client.users.updateUserProfileImage(id, { file }),
    withLogo: (id) => client.organizations.updateOrganizationLogo(id, { file }),
    verified: (token) => verifyToken(token, { secretKey, apiUrl: url }),
    authenticated: async (token) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await client.authenticateRequest(new Request('https://app.example', { headers }))).toAuth()
    },
  })
}

export async function verify({ rawBody, type, headers, secret }) {
  const request = new Request('https://app.example', { method: 'POST', headers, body: rawBody })
  return (await verifyWebhook(request, { signingSecret: secret })).type === type
}
