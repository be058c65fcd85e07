import { fieldsOf, type Kept, operation, type PlaidRequest, renamed } from './plaid.ts'

/** The user that the request names. */
const userOf = (plaid: PlaidRequest): Kept => {
  const { user_id, user_token: token } = plaid.body
  const isNamed = ({ id, user_token }: Kept): boolean => id === user_id || user_token === token
  return plaid.records.users.find(isNamed) ?? plaid.invalid('user_id or user_token must be of a user')
}

const toUser = renamed('user_id', 'user_token')

export const users = {
  'POST /user/create': operation(['client_user_id'], ({ body, id, now, records: { users } }) => {
    const client_user_id = String(body.client_user_id)
    const { identity = null } = body
    const made = { created_at: now.toISOString(), updated_at: now.toISOString(), identity }
    const ids = { id: id('usr_'), client_user_id, user_token: `user-sandbox-${id()}` }
    const { id: user_id, user_token = null } = users.find({ client_user_id }) ?? users.create({ ...ids, ...made })
    return { user_id, user_token }
  }),
  'POST /user/get': operation([], (plaid) => toUser(userOf(plaid))),
  'POST /user/update': operation([], (plaid) => {
    const { body, now, records } = plaid
    const found = userOf(plaid)
    const identity = { ...fieldsOf(found.identity), ...fieldsOf(body.identity) }
    return toUser(records.users.update(found.id, { identity, updated_at: now.toISOString() }))
  }),
  'POST /user/remove': operation([], (plaid) => void plaid.records.users.remove(userOf(plaid).id)),
}
