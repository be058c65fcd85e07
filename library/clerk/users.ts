import { merged } from '../shared/merged.ts'
import {
  type ClerkRequest,
  contains,
  type Fields,
  fieldsOf,
  filled,
  isMissing,
  type Kept,
  msOf,
  type Operations,
  sent,
  textOf,
  textsOf,
} from './clerk.ts'
import { revokeSessions } from './sessions.ts'
import { toEmail, toMembership, toOrgInvitation, toPhone, toUser } from './views.ts'

const METADATA = 'public_metadata private_metadata unsafe_metadata'
const SHORTEST_PASSWORD = 8
/** Passwords that are known from breaches. */
const PWNED = ['password', '12345678', '123456789', 'password1', 'password123', 'qwertyuiop', 'letmein1', 'iloveyou']
/** The code that every authenticator shows. */
const RIGHT_CODE = '424242'

/** Changes a user. Returns what the answer and the event show. */
function changeUser(clerk: ClerkRequest, user: Kept, fields: Fields = {}): Fields {
  return clerk.happen('user.updated', toUser(clerk.update('users', user, fields), clerk))
}

/** An operation that sets fields of the user in the path. */
const setsUser = (fields: Fields) => (clerk: ClerkRequest) =>
  changeUser(clerk, clerk.find('users', clerk.path.user_id), fields)

/** The same, whose answer has the id alone. */
const clearsFactor = (fields: Fields) => (clerk: ClerkRequest) => ({ user_id: setsUser(fields)(clerk).id })

const setsCompromised = (clerk: ClerkRequest): Fields => {
  const user = clerk.find('users', clerk.path.user_id)
  if (clerk.body.revoke_all_sessions === true) revokeSessions(clerk, user)
  return changeUser(clerk, user)
}

/** Refuses what no user may have, and what another user has. */
function checkUser(clerk: ClerkRequest, own?: Kept): void {
  const { body, records } = clerk
  const { username, external_id } = body
  const isOthers = (user: Kept | undefined) => user !== undefined && user.id !== own?.id
  if (!isMissing(username) && !/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/i.test(textOf(username)))
    clerk.refuse({
      code: 'form_username_invalid_character',
      text: 'is invalid',
      long: 'A username has letters and digits and _ and dashes.',
      name: 'username',
    })
  if (body.skip_password_checks !== true) checkPassword(clerk, textOf(body.password))
  if (own === undefined) checkIdentifiers(clerk)
  if (!isMissing(username) && isOthers(records.users.find({ username: nameIn(body) }))) clerk.taken('username')
  if (!isMissing(external_id) && isOthers(records.users.find({ external_id: external_id ?? null })))
    clerk.taken('external_id')
}

function checkPassword(clerk: ClerkRequest, password: string): void {
  if (password !== '' && password.length < SHORTEST_PASSWORD)
    clerk.refuse({
      code: 'form_password_length_too_short',
      text: 'Passwords must be 8 characters or more.',
      name: 'password',
    })
  const pwned = 'Password has been found in an online data breach.'
  if (PWNED.includes(password))
    clerk.refuse({
      code: 'form_password_pwned',
      text: pwned,
      long: `${pwned} For account safety, please use a different password.`,
      name: 'password',
    })
}

/** Refuses a new user without an identifier, or with one that is none or is another user's. */
function checkIdentifiers(clerk: ClerkRequest): void {
  const { body, records } = clerk
  const [emails, phones] = [emailsIn(body.email_address), textsOf(body.phone_number)]
  if (emails.length === 0 && phones.length === 0 && isMissing(body.username))
    clerk.refuse({
      code: 'form_data_missing',
      text: 'missing data',
      long: `["email_address" "phone_number" "username"] data doesn't match user requirements set for this instance`,
    })
  const invalid = { code: 'form_param_format_invalid', text: 'is invalid' }
  if (!emails.every((email) => /^[^@\s]+@[^@\s.]+\.[^@\s]+$/.test(email)))
    clerk.refuse({ ...invalid, long: 'Email address must be a valid email address.', name: 'email_address' })
  if (!phones.every((phone) => /^\+\d{6,15}$/.test(phone)))
    clerk.refuse({
      ...invalid,
      long: 'Phone number must be a valid phone number according to E.164 international standard.',
      name: 'phone_number',
    })
  if (emails.some((email_address) => records.email_addresses.some({ email_address }))) clerk.taken('email_address')
  if (phones.some((phone_number) => records.phone_numbers.some({ phone_number }))) clerk.taken('phone_number')
}

const emailsIn = (value: Fields[string] | undefined): string[] => textsOf(value).map((email) => email.toLowerCase())

const nameIn = ({ username }: Fields): string => textOf(username).toLowerCase()

/** The fields of a user that a body sets as they are. */
const fieldsIn = (body: Fields): Fields => ({
  ...sent(body, 'first_name last_name external_id locale create_organizations_limit'),
  ...filled(body, `delete_self_enabled create_organization_enabled ${METADATA}`),
  ...(body.username !== undefined && { username: isMissing(body.username) ? null : nameIn(body) }),
  ...(body.password !== undefined && { password: body.password }),
  ...(!isMissing(body.totp_secret) && { totp_enabled: true }),
  ...(textsOf(body.backup_codes).length > 0 && { backup_code_enabled: true }),
})

/** The users that the query's filters leave, the newest first. */
function listedUsers(clerk: ClerkRequest): Kept[] {
  const { query, records } = clerk
  const { created_at_after, created_at_before, banned } = query
  const ownersOf = (found: readonly Kept[]) => new Set(found.map(({ user_id }) => user_id ?? null))
  const kept = (users: Kept[], ids: ReadonlySet<Fields[string]> | undefined) =>
    ids ? users.filter(({ id }) => ids.has(id)) : users
  let users = [...records.users]
  if (created_at_after !== undefined) users = users.filter((user) => Number(user.created_at) > Number(created_at_after))
  if (created_at_before !== undefined)
    users = users.filter((user) => Number(user.created_at) < Number(created_at_before))
  for (const name of ['external_id', 'username']) users = clerk.among(users, name)
  users = clerk.among(users, 'id', 'user_id')
  const { email_address, phone_number, organization_id } = query
  if (email_address !== undefined) {
    const emails = emailsIn([email_address].flat())
    users = kept(users, ownersOf(records.email_addresses.where((one) => emails.includes(textOf(one.email_address)))))
  }
  if (phone_number !== undefined) users = kept(users, ownersOf(clerk.among([...records.phone_numbers], 'phone_number')))
  if (organization_id !== undefined)
    users = kept(users, ownersOf(clerk.among([...records.memberships], 'organization_id')))
  const [words, part] = [clerk.param('query'), clerk.param('email_address_query')]
  if (words !== '') users = kept(users, usersWith(clerk, words))
  if (part !== '')
    users = kept(users, ownersOf(records.email_addresses.where((one) => contains(one.email_address, part))))
  return isMissing(banned) ? users : users.filter((user) => user.banned === (banned === 'true'))
}

/** The ids of users who have these words in a name, an id, an address or a number. */
export function usersWith({ records }: ClerkRequest, words: string): Set<Fields[string]> {
  const users = records.users.where((user) =>
    ['first_name', 'last_name', 'username', 'id'].some((name) => contains(user[name], words)),
  )
  const emails = records.email_addresses.where(({ email_address }) => contains(email_address, words))
  const phones = records.phone_numbers.where(({ phone_number }) => contains(phone_number, words))
  return new Set([...users.map(({ id }) => id), ...[...emails, ...phones].map(({ user_id }) => user_id ?? null)])
}

export const users: Operations = {
  'POST /v1/users': (clerk) => {
    checkUser(clerk)
    const { body } = clerk
    const user = clerk.create('users', {
      ...fieldsIn(body),
      password: body.password ?? body.password_digest ?? null,
      legal_accepted_at: msOf(body.legal_accepted_at) ?? null,
      created_at: msOf(body.created_at) ?? clerk.ms,
    })
    const identify = (collection: 'email_addresses' | 'phone_numbers', field: string, values: string[]) =>
      values.map((value) => clerk.create(collection, { [field]: value, user_id: user.id, verified: true }))
    const [email] = identify('email_addresses', 'email_address', emailsIn(body.email_address))
    const [phone] = identify('phone_numbers', 'phone_number', textsOf(body.phone_number))
    const made = clerk.records.users.update(user, {
      primary_email_address_id: email?.id ?? null,
      primary_phone_number_id: phone?.id ?? null,
    })
    return clerk.happen('user.created', toUser(made, clerk))
  },
  // Without the number of all users: the SDK asks for it apart.
  'GET /v1/users': (clerk) => clerk.page(clerk.ordered(listedUsers(clerk))).map((user) => toUser(user, clerk)),
  'GET /v1/users/count': (clerk) => ({ object: 'total_count', total_count: listedUsers(clerk).length }),
  'GET /v1/users/{user_id}': (clerk) => toUser(clerk.find('users'), clerk),
  'PATCH /v1/users/{user_id}': (clerk) => {
    const user = clerk.find('users')
    checkUser(clerk, user)
    if (!isMissing(clerk.body.password) && clerk.body.sign_out_of_other_sessions === true) revokeSessions(clerk, user)
    const primary = filled(clerk.body, 'primary_email_address_id primary_phone_number_id')
    return changeUser(clerk, user, { ...fieldsIn(clerk.body), ...primary })
  },
  'PATCH /v1/users/{user_id}/metadata': (clerk) => {
    const user = clerk.find('users')
    return changeUser(clerk, user, patchedMetadata(user, clerk.body))
  },
  'PUT /v1/users/{user_id}/metadata': (clerk) => changeUser(clerk, clerk.find('users'), filled(clerk.body, METADATA)),
  'DELETE /v1/users/{user_id}': (clerk) => {
    const user = clerk.find('users')
    for (const collection of ['email_addresses', 'phone_numbers', 'memberships', 'sessions'] as const)
      clerk.removeAll(collection, 'user_id', user.id)
    return clerk.happen('user.deleted', clerk.remove('users', user))
  },
  'POST /v1/users/{user_id}/ban': (clerk) => {
    revokeSessions(clerk, clerk.find('users'))
    return setsUser({ banned: true })(clerk)
  },
  'POST /v1/users/{user_id}/unban': setsUser({ banned: false }),
  'POST /v1/users/{user_id}/lock': setsUser({ locked: true }),
  'POST /v1/users/{user_id}/unlock': setsUser({ locked: false }),
  'POST /v1/users/{user_id}/profile_image': setsUser({ has_image: true }),
  'DELETE /v1/users/{user_id}/profile_image': setsUser({ has_image: false }),
  'POST /v1/users/{user_id}/remove_password': setsUser({ password: null }),
  'POST /v1/users/{user_id}/password/set_compromised': setsCompromised,
  'POST /v1/users/{user_id}/password/unset_compromised': setsCompromised,
  'DELETE /v1/users/{user_id}/mfa': clearsFactor({ totp_enabled: false, backup_code_enabled: false }),
  'DELETE /v1/users/{user_id}/totp': clearsFactor({ totp_enabled: false }),
  'DELETE /v1/users/{user_id}/backup_code': clearsFactor({ backup_code_enabled: false }),
  'POST /v1/users/{user_id}/verify_password': (clerk) => {
    const user = clerk.find('users')
    clerk.need('password')
    if (isMissing(user.password))
      clerk.refuse({ code: 'no_password_set', text: 'The user does not have a password set', status: 400 })
    if (user.password !== clerk.body.password)
      clerk.refuse({ code: 'incorrect_password', text: 'The provided password is incorrect.', name: 'password' })
    return { verified: true }
  },
  'POST /v1/users/{user_id}/verify_totp': (clerk) => {
    const isRight = clerk.body.code === RIGHT_CODE
    if (clerk.find('users').totp_enabled !== true)
      clerk.refuse({ code: 'totp_disabled', text: 'TOTP is disabled for this user', status: 400 })
    if (!isRight) clerk.refuse({ code: 'incorrect_code', text: 'The provided code is incorrect.', name: 'code' })
    return { verified: true, code_type: 'totp' }
  },
  'GET /v1/users/{user_id}/organization_memberships': (clerk) => {
    const found = clerk.records.memberships.where({ user_id: clerk.find('users').id })
    return clerk.list(found, (membership) => toMembership(membership, clerk))
  },
  'GET /v1/users/{user_id}/organization_invitations': (clerk) => {
    const emails = clerk.having('email_addresses', 'user_id', clerk.find('users').id)
    const found = clerk.records.org_invitations.where((invitation) =>
      emails.some(({ email_address }) => email_address === invitation.email_address),
    )
    return clerk.list(clerk.among(found, 'status'), (invitation) => toOrgInvitation(invitation, clerk))
  },
  'GET /v1/users/{user_id}/oauth_access_tokens/{provider}': (clerk) => {
    clerk.find('users', clerk.path.user_id)
    return { data: [], total_count: 0 }
  },
}

/** Metadata with the sent keys at any depth; null deletes a key. */
export const patchedMetadata = (record: Fields, body: Fields): Fields =>
  Object.fromEntries(
    METADATA.split(' ').flatMap((name) =>
      isMissing(body[name]) ? [] : [[name, merged(fieldsOf(record[name]), body[name])]],
    ),
  )

/** Email addresses, or phone numbers: the same operations. */
interface Identifier {
  readonly collection: 'email_addresses' | 'phone_numbers'
  readonly field: 'email_address' | 'phone_number'
  readonly param: string
  /** The field of the user with the main one. */
  readonly primary: 'primary_email_address_id' | 'primary_phone_number_id'
  /** Further fields of bodies, with spaces between. */
  readonly fields: string
  readonly show: (record: Fields) => Fields
}

function identifierOperations({ collection, field, param, primary, fields, show }: Identifier): Operations {
  const valueIn = (clerk: ClerkRequest): string => {
    clerk.need(field)
    return textOf(clerk.body[field]).toLowerCase()
  }
  const ownerOf = (clerk: ClerkRequest, { user_id }: Kept) => clerk.find('users', user_id)
  const one = `/v1/${collection}/{${param}}`
  return {
    [`POST /v1/${collection}`]: (clerk) => {
      clerk.need('user_id')
      const value = valueIn(clerk)
      const user = clerk.userOfBody()
      if (clerk.records[collection].some({ [field]: value })) clerk.taken(field)
      const made = clerk.create(collection, { ...filled(clerk.body, fields), [field]: value, user_id: user.id })
      const isPrimary = clerk.body.primary === true || isMissing(user[primary])
      changeUser(clerk, user, isPrimary ? { [primary]: made.id } : {})
      return show(made)
    },
    // Replaces all of them.
    [`PUT /v1/users/{user_id}/${field}`]: (clerk) => {
      const user = clerk.find('users')
      const value = valueIn(clerk)
      if (clerk.records[collection].some((other) => other[field] === value && other.user_id !== user.id))
        clerk.taken(field)
      clerk.removeAll(collection, 'user_id', user.id)
      const verified = clerk.body.verified ?? true
      const made = clerk.create(collection, { [field]: value, user_id: user.id, verified })
      return changeUser(clerk, user, { [primary]: made.id })
    },
    [`GET ${one}`]: (clerk) => show(clerk.find(collection)),
    [`PATCH ${one}`]: (clerk) => {
      const changed = clerk.update(collection, clerk.find(collection), filled(clerk.body, fields))
      changeUser(clerk, ownerOf(clerk, changed), clerk.body.primary === true ? { [primary]: changed.id } : {})
      return show(changed)
    },
    [`DELETE ${one}`]: (clerk) => {
      const gone = clerk.find(collection)
      const user = ownerOf(clerk, gone)
      const shown = clerk.remove(collection, gone)
      const next = clerk.having(collection, 'user_id', user.id)[0]
      changeUser(clerk, user, user[primary] === gone.id ? { [primary]: next?.id ?? null } : {})
      return shown
    },
  }
}

export const identifiers: Operations = {
  ...identifierOperations({
    collection: 'email_addresses',
    field: 'email_address',
    param: 'email_id',
    primary: 'primary_email_address_id',
    fields: 'verified',
    show: toEmail,
  }),
  ...identifierOperations({
    collection: 'phone_numbers',
    field: 'phone_number',
    param: 'telephone_id',
    primary: 'primary_phone_number_id',
    fields: 'verified reserved_for_second_factor',
    show: toPhone,
  }),
}
