import { auditLogs, exportReady } from './audit-logs.ts'
import { authentication, expireSession } from './authentication.ts'
import { resources, roles } from './authorization.ts'
import { devices } from './devices.ts'
import { directories, fire } from './directories.ts'
import { environment, toFlag } from './environment.ts'
import { factors } from './factors.ts'
import { invitations, memberships, showMembership } from './memberships.ts'
import { groups, organizations } from './organizations.ts'
import { sso } from './sso.ts'
import { users } from './users.ts'
import { vault } from './vault.ts'
import {
  type Collection,
  type Context,
  type Due,
  type Kept,
  type Operations,
  shown,
  toDirectory,
  toRoleEvent,
  toUser,
  WorkOS,
  WorkOSRequest,
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

/** Collections whose events show a record without its hidden fields. */
const PLAIN = [
  'api_keys',
  'directory_users',
  'email_verifications',
  'groups',
  'invitations',
  'magic_auths',
  'password_resets',
  'sessions',
] as const

/** What events show of records. */
const views: { readonly [Name in Collection]?: (record: Kept, workos: WorkOS) => unknown } = {
  ...Object.fromEntries(PLAIN.map((name) => [name, (record: Kept) => shown(name, record)])),
  directories: toDirectory,
  feature_flags: toFlag,
  happenings: ({ data }) => data,
  organization_memberships: (record, workos) => showMembership(workos, record),
  organizations: (record, workos) => workos.toOrganization(record),
  roles: toRoleEvent,
  users: toUser,
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
  ...Object.fromEntries(
    Object.entries(views).map(([name, show]) => [`$${name}`, (due: Due) => show(due.record, new WorkOS(due))]),
  ),
}
