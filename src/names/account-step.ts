/** A name of a user: `email`, `usernameOrEmail`. */
export const NAME =
  /^(e_?mail(_?address)?|user_?name|login|phone(_?number)?)(_?or_?(e_?mail|user|login|name|phone|mobile|id)\w*)?$/i
export const PASSWORD = /^(password|passwd|pwd)$/i
export const CONFIRMATION =
  /^(password_?(2|confirm(ation)?|repeat)|(confirm|repeat|re|re_?type|re_?enter)_?(new_?)?password)$/i
export const REFRESH_TOKEN = /^(refresh(_?token)?|token)$/i
export const LOGIN = /(log-?_?in|sign-?_?in|sessions?|auth|authenticate|tokens?)\/?$/i
const REFRESH = /refresh(-?_?tokens?)?\/?$/i
export const REGISTRATION = /(register|registration|sign-?_?up)\/?$/i

/** A schema, as far as its fields go. */
interface Fields {
  readonly properties: ReadonlyMap<string, Fields>
}

interface Request {
  readonly method: string
  readonly path: string
  readonly requestBody: { readonly content: ReadonlyMap<string, Fields | undefined> } | undefined
}

/** What an operation does with a name and a password, or with the token that they gave. */
export type AccountStep = 'register' | 'logIn' | 'refresh'

/** The step that path and body of an operation name. */
export function accountStepOf(request: Request): AccountStep | undefined {
  const { method, path } = request
  if (method !== 'POST' || ![REGISTRATION, LOGIN, REFRESH].some((form) => form.test(path))) return undefined
  // Read last: the bodies of a model are read from its description at first use.
  const [schema] = request.requestBody?.content.values() ?? []
  if (takesCredentials(schema)) return LOGIN.test(path) ? 'logIn' : 'register'
  const isRefresh =
    REFRESH.test(path) && [...(schema?.properties.keys() ?? [])].some((name) => REFRESH_TOKEN.test(name))
  return isRefresh ? 'refresh' : undefined
}

/** Whether a body has a name and a password. */
export const takesCredentials = (schema: Fields | undefined): boolean =>
  schema !== undefined &&
  [schema, ...schema.properties.values()].some(({ properties }) =>
    [PASSWORD, NAME].every((wanted) => [...properties.keys()].some((name) => wanted.test(name))),
  )
