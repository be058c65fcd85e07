import { access } from './access.ts'
import { billing } from './billing.ts'
import { ClerkRequest, type Context, type Due, type Operations } from './clerk.ts'
import { connections } from './connections.ts'
import { instance } from './instance.ts'
import { invitations, orgInvitations } from './invitations.ts'
import { apiKeys, machines, machineTokens, oauthApplications } from './machines.ts'
import { memberships } from './memberships.ts'
import { organizations, orgDomains } from './organizations.ts'
import { roles } from './roles.ts'
import { sessions } from './sessions.ts'
import { identifiers, users } from './users.ts'

const operations: Operations = {
  ...{ ...access, ...apiKeys, ...billing, ...connections, ...identifiers, ...instance, ...invitations, ...machines },
  ...{ ...machineTokens, ...memberships, ...oauthApplications, ...organizations, ...orgDomains, ...orgInvitations },
  ...{ ...roles, ...sessions, ...users },
}

export default {
  $happenings: ({ record }: Due) => record.data,
  /** A session, or an invitation. */
  expire: ({ update, now }: Due): void => {
    update({ status: 'expired', updated_at: now.getTime() })
  },
  // The SDK reads JSON of this very type alone.
  'GET /v1/jwks': ({ call, respond }: Context) =>
    respond({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(call('GET', '/.well-known/jwks.json').body),
    }),
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new ClerkRequest(context)),
    ]),
  ),
}
