import { auditLogs, exportReady } from './audit-logs.ts'
import { authentication, expireSession } from './authentication.ts'
import { resources, roles } from './authorization.ts'
import { devices } from './devices.ts'
import { directories, fire } from './directories.ts'
import { environment, toFlag } from './environment.ts'
import { factors } from './factors.ts'
import { invitations, memberships, toMembership } from './memberships.ts'
import { groups, organizations } from './organizations.ts'
import { sso } from './sso.ts'
import { users } from './users.ts'
import { vault } from './vault.ts'
import {
  type Collection,
  type Context,
  type Due,
  type Fields,
  fieldsOf,
  type Json,
  type Operations,
  shown,
  toDirectory,
  toRoleEvent,
  toUser,
  WorkOS,
  WorkOSRequest,
  withQuery,
} from './workos.ts'

const handlersOf = (operations: Operations) =>
  Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new WorkOSRequest(context)),
    ]),
  )

const expireInvitation = (due: Due): void => {
  new WorkOS(due).update('invitations', due.record, { state: 'expired' })
}

export default {
  ...handlersOf({ ...auditLogs, ...authentication, ...devices, ...directories, ...environment, ...factors, ...groups }),
  ...handlersOf({
    ...invitations,
    ...memberships,
    ...organizations,
    ...resources,
    ...roles,
    ...sso,
    ...users,
    ...vault,
  }),
  ...{ expireInvitation, expireSession, exportReady, fire },
  // For the views of events.
  $visible: (given: Json) => {
    const { of, record } = fieldsOf(given)
    return shown(of as Collection, fieldsOf(record))
  },
  $organization: (given: Json) => {
    const { record, domains } = fieldsOf(given)
    return { ...shown('organizations', fieldsOf(record)), domains: domains ?? [] } as Fields
  },
  $membership: (given: Json) => {
    const { record, organization } = fieldsOf(given)
    return toMembership(fieldsOf(record), fieldsOf(organization))
  },
  $user: (given: Json) => toUser(fieldsOf(given)),
  $directory: (given: Json) => toDirectory(fieldsOf(given)),
  $flag: (given: Json) => toFlag(fieldsOf(given)),
  $redirect: (given: Json) => {
    const { to, ...query } = fieldsOf(given)
    return withQuery(String(to), query)
  },
  $role: (given: Json) => toRoleEvent(fieldsOf(given)),
}
