import { Auth } from '@auth/core'
import { headers } from 'next/headers'

const { AUTH_OIDC_ISSUER, AUTH_OIDC_ID, AUTH_OIDC_SECRET, AUTH_SECRET } = process.env

/** What `next-auth` makes of its options. The issuer alone differs between a test and production. */
const config = {
  basePath: '/auth',
  secret: AUTH_SECRET,
  trustHost: true,
  providers: [
    {
      id: 'company',
      name: 'the company account',
      type: 'oidc',
      issuer: AUTH_OIDC_ISSUER,
      clientId: AUTH_OIDC_ID,
      clientSecret: AUTH_OIDC_SECRET,
    },
  ],
}

/** The route handler below `/auth`. */
export const handle = (request) => Auth(request, config)

/** The session of the visitor; null without one. */
export async function auth() {
  const { cookie = '', host } = Object.fromEntries(await headers())
  const answer = await Auth(new Request(`http://${host}/auth/session`, { headers: { cookie } }), config)
  return answer.json()
}
