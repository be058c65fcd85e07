import { LOGIN, NAME, PASSWORD, REGISTRATION } from '../../names/account-step.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import {
  pathsOf,
  SIGN_IN_EXTENSION,
  type SignIn,
  type SignInFile,
  type SignInStep,
  signInFile,
} from '../../protocol/sign-in.ts'
import { toCollection } from './declared-collections.ts'
import type { ApiModel, CollectionModel } from './model.ts'
import { objectEntries, textOf } from './operation-draft.ts'
import { LocalReferences } from './references.ts'
import type { SchemaReader } from './schemas/schema-reader.ts'
import { pathOfUrl, readBasePaths } from './servers.ts'

/** The methods of each step; others have POST alone. */
const METHODS: Partial<Record<SignInStep, readonly string[]>> = {
  authorize: ['get', 'post'],
  userinfo: ['get', 'post'],
  tokeninfo: ['get', 'post'],
  jwks: ['get'],
  pem: ['get'],
  configuration: ['get'],
  instance: ['get'],
  verify: ['get', 'post'],
  logout: ['get', 'post'],
}
const SUMMARIES: Record<SignInStep, string> = {
  authorize: 'Shows the sign-in page, and redirects back with a code.',
  token: 'Issues tokens.',
  userinfo: 'Reads the claims of the signed-in user.',
  jwks: 'Lists the public keys of tokens.',
  pem: 'Lists the public keys of tokens in PEM.',
  configuration: 'Describes the provider.',
  instance: "Reads whether an address is the provider's.",
  revoke: 'Revokes a token.',
  introspect: 'Reads whether a token is active.',
  tokeninfo: 'Reads whose a token is.',
  device: 'Begins the sign-in of a device.',
  verify: 'Shows the page on which a user enters the code of a device.',
  register: 'Registers a client.',
  logout: 'Signs the user out.',
  par: 'Takes the parameters of an authorization request.',
}

/**
 * A description with the paths of its sign-in: those of its extension, which an entry's `sign-in.yaml` becomes, or of its
 * schemes of OAuth 2.0 and OpenID Connect. Unchanged without either.
 */
export function withSignIn(document: JsonObject, signIn: SignIn | undefined): JsonObject {
  if (signIn === undefined) return document
  const paths: JsonObject = { ...(isJsonObject(document.paths) ? document.paths : {}) }
  const isOwn = document[SIGN_IN_EXTENSION] !== undefined
  const bases = readBasePaths(document)
  for (const [step, all] of pathsOf(signIn)) {
    for (const path of all) {
      const short = below(bases, path)
      // The entry answers it itself; the provider only announces it.
      if (short !== path && isJsonObject(paths[short])) continue
      const item = isJsonObject(paths[path]) ? paths[path] : {}
      const added = (METHODS[step] ?? ['post']).flatMap((method) => {
        const own = isJsonObject(item[method]) ? item[method] : undefined
        // What a description says of its own keys or documents stays.
        if (own !== undefined && !isOwn && step !== 'token' && step !== 'authorize') return []
        return [[method, toOperation(step, path, own)] as const]
      })
      paths[path] = { ...item, ...Object.fromEntries(added) }
    }
  }
  return { ...document, paths }
}

/** The settings of a description's sign-in; undefined without one. Throws `invalid_spec`. */
export function readSignIn(document: JsonObject): SignIn | undefined {
  const written = document[SIGN_IN_EXTENSION]
  if (written === false) return undefined
  const given = written ?? fromSchemes(document)
  if (given === undefined) return undefined
  const { data, error } = signInFile().safeParse(given)
  if (data !== undefined) return data
  const [issue] = error.issues
  throw invalidSpec(
    `Failed to read the description: \`/${[SIGN_IN_EXTENSION, ...(issue?.path ?? [])].join('/')}\`: ${issue?.message}.`,
  )
}

/** FastAPI's password flow names the login of an API in which clients register: `/login/access-token` beside `/users/signup`. */
function isPasswordLogin(document: JsonObject, flows: readonly JsonObject[], token: readonly string[]): boolean {
  const paths = new Map(objectEntries(document.paths))
  const isFlow = flows.every(({ flows: inner }) => !isJsonObject(inner) || Object.keys(inner).join() === 'password')
  const isOwn = isFlow && token.length > 0 && token.every((path) => paths.has(path))
  const references = new LocalReferences(document)
  const takes = (post: Json | undefined): string[] => {
    const { content } = references.resolve(references.resolve(post).value.requestBody).value
    const bodies = objectEntries(content).map(([, { schema }]) => references.resolve(schema).value.properties)
    return bodies.flatMap((properties) => (isJsonObject(properties) ? Object.keys(properties) : []))
  }
  const registers = ([path, { post }]: [string, JsonObject]): boolean =>
    REGISTRATION.test(path) ||
    (!LOGIN.test(path) && [NAME, PASSWORD].every((wanted) => takes(post).some((name) => wanted.test(name))))
  return isOwn && [...paths].some(registers)
}

/** The flows of the schemes: their pages and tokens are at their paths, whatever host they name. */
function fromSchemes(document: JsonObject): SignInFile | undefined {
  const components = isJsonObject(document.components) ? document.components : {}
  const schemes = objectEntries(
    document.swagger === undefined ? components.securitySchemes : document.securityDefinitions,
  ).map(([, scheme]) => scheme)
  const flows = schemes.flatMap((scheme) =>
    scheme.type === 'oauth2' ? [scheme, ...objectEntries(scheme.flows).map(([, flow]) => flow)] : [],
  )
  const bases = readBasePaths(document)
  const placesOf = (...fields: string[]): string[] => {
    const urls = flows.flatMap((flow) => fields.map((field) => textOf(flow[field]) ?? ''))
    const found = urls.filter((url) => url !== '').map((url) => below(bases, pathOfUrl(url)))
    return [...new Set(found)].filter((path) => /^\/[^\s{}?#]+$/.test(path))
  }
  const authorize = placesOf('authorizationUrl')
  const token = placesOf('tokenUrl', 'refreshUrl')
  const device = placesOf('deviceAuthorizationUrl')
  const isOpenId = schemes.some(({ type }) => type === 'openIdConnect')
  if (isPasswordLogin(document, flows, token)) return undefined
  if (isOpenId && authorize.length === 0) return { keyAsSecret: true, name: titleOf(document) }
  if (authorize.length === 0 && token.length === 0) return undefined
  const announced = {
    jwks: '/.well-known/jwks.json',
    configuration: ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  }
  const paths = {
    ...(authorize.length > 0 && { authorize, ...announced }),
    ...(token.length > 0 && { token }),
    ...(device.length > 0 && { device, verify: '/device' }),
  }
  const scopes = flows.flatMap(({ scopes: named }) => (isJsonObject(named) ? Object.keys(named) : []))
  return {
    paths,
    keyAsSecret: true,
    name: titleOf(document),
    scopes: { usual: [...new Set(scopes)] },
    tokens: { access: { as: 'audience' } },
  }
}

const titleOf = (document: JsonObject): string =>
  (isJsonObject(document.info) ? textOf(document.info.title)?.slice(0, 300) : '') || 'API'

/** A path without the base path of the servers. */
function below(bases: readonly string[], path: string): string {
  const base = bases.find((one) => one !== '' && path.startsWith(`${one}/`)) ?? ''
  return path.slice(base.length)
}

function toOperation(step: SignInStep, path: string, own: JsonObject | undefined): JsonObject {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  const { operationId, tags, responses = { '200': { description: 'As the standard says.' } } } = own ?? {}
  return {
    ...(operationId !== undefined && { operationId }),
    ...(tags !== undefined && { tags }),
    summary: SUMMARIES[step],
    [SIGN_IN_EXTENSION]: step,
    security: [],
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    responses,
  }
}

const TEXT = { type: 'string' }
const recordOf = (...names: string[]): JsonObject => ({
  type: 'object',
  required: ['id'],
  properties: Object.fromEntries(['id', ...names].map((name) => [name, name === 'id' ? TEXT : {}])),
  additionalProperties: true,
})

/** The collections of a sign-in, with the properties of their records. */
const COLLECTIONS: Readonly<Record<string, JsonObject>> = {
  clients: recordOf('client_name', 'client_secret', 'redirect_uris'),
  consents: recordOf('user_id', 'client_id', 'scope'),
  sign_ins: recordOf('user_id', 'expires_at'),
  grants: recordOf('kind', 'user_id', 'client_id', 'expires_at'),
  access_tokens: recordOf('user_id', 'client_id', 'scope', 'expires_at'),
  interactions: recordOf('expires_at'),
  logouts: recordOf('client_id', 'expires_at'),
  signing_keys: recordOf(),
}
const USER: JsonObject = {
  type: 'object',
  required: ['id', 'email', 'name'],
  properties: {
    id: TEXT,
    email: { type: 'string', format: 'email' },
    name: TEXT,
    email_verified: { type: 'boolean', default: true },
    blocked: { type: 'boolean' },
    claims: { type: 'object', additionalProperties: true },
  },
  additionalProperties: true,
}

/** Users that a sign-in has, unless a test gives others. */
const usersOf = ({ ids: [ada, alan] }: SignIn['users']): JsonObject[] => [
  { id: ada, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true },
  { id: alan, name: 'Alan Turing', email: 'alan@example.com', email_verified: true },
]

/** Names of collections whose records may be the users of an API. */
const USERS_NAME = /^(users?|accounts?|members?|people|persons?)$/

/** A model with its sign-in; the same model without one. */
export function joinSignIn<Part extends Pick<ApiModel, 'collections'>>(
  document: JsonObject,
  signIn: SignIn | undefined,
  part: Part,
  reader: SchemaReader,
): Part & Pick<ApiModel, 'signIn'> {
  if (signIn === undefined) return part
  const taken = new Set(part.collections.map(({ name }) => name))
  const likely = part.collections.find(({ name, schema }) => USERS_NAME.test(name) && schema?.properties.has('email'))
  const of = taken.has(signIn.users.of) ? signIn.users.of : (likely?.name ?? signIn.users.of)
  const make = (name: string, record: Json, isApart: 'quiet' | 'announced'): CollectionModel => ({
    ...toCollection(name, { record }, reader),
    isApart,
  })
  const names = Object.fromEntries(
    Object.keys(COLLECTIONS).map((name) => [name, taken.has(name) ? `oauth_${name}` : name]),
  )
  const { clients } = signIn
  if (clients !== undefined) names.clients = clients.of
  const missing = Object.entries(COLLECTIONS).filter(([name]) => name !== 'clients' || clients === undefined)
  const own = missing.map(([name, record]) =>
    make(names[name] ?? name, record, name === 'logouts' ? 'announced' : 'quiet'),
  )
  const users = taken.has(of) ? [] : [make(of, USER, 'announced')]
  const seed: Record<string, JsonObject[]> = taken.has(of) ? {} : { [of]: usersOf(signIn.users) }
  return {
    ...part,
    signIn: {
      ...signIn,
      name: signIn.name ?? titleOf(document),
      users: { ...signIn.users, of },
      collectionNames: names,
      collections: [...users, ...own],
      seed,
    },
  }
}
