import * as z from 'zod'
import { checkExpressions } from './check-expressions.ts'
import type { JsonObject } from './json.ts'

/** What an OAuth 2.0 or OpenID Connect provider answers, each at its own paths. */
export const SIGN_IN_STEPS = [
  'authorize',
  'token',
  'userinfo',
  'jwks',
  'pem',
  'configuration',
  'instance',
  'revoke',
  'introspect',
  'tokeninfo',
  'device',
  'verify',
  'register',
  'logout',
  'par',
] as const
export type SignInStep = (typeof SIGN_IN_STEPS)[number]

/** The extension with a whole {@link SignInFile} at the top of a description, and with the step at an operation. */
export const SIGN_IN_EXTENSION = 'x-backlot-sign-in'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** `1h` in seconds; null for a time without end. */
export const secondsIn = (lasts: string): number | null =>
  lasts === 'never' ? null : Number.parseInt(lasts, 10) * (UNIT_SECONDS[lasts.slice(-1)] ?? 1)

/**
 * `sign-in.yaml`: an OAuth 2.0 or OpenID Connect provider, by its differences from the entry `oidc`. Expressions in `claims` are those of
 * `effects.yaml` over `$user`, `$client`, `$grant` (client_id, scope, scopes, audience) and `$request` (its query).
 */
export const signInFile = () => {
  const text = z.string().min(1).max(300)
  const path = z.string().regex(/^\/\S*$/, 'a path that begins with a slash')
  const check = checkExpressions('$user', '$client', '$grant', '$request', '$answer', '$profile', '$error')
  const expression = z.json().superRefine(check)
  const claims = z.record(text, expression)
  const lasts = z.string().regex(/^(\d+[smhd]|never)$/, '`never`, or a number with s, m, h or d, such as 1h')
  const token = { prefix: z.string().max(40).default(''), length: z.int().min(16).max(200).default(40) }
  return z.strictObject({
    /** `{origin}`: the address of the simulation; `{home}`: the first of its host names, where it answers at them; `{tenant}`: of the path. */
    issuer: text.default('{origin}'),
    /** What each real host name answers; `api` is everything else. */
    hosts: z.record(text, z.array(z.enum([...SIGN_IN_STEPS, 'api'])).min(1)).default({}),
    /** The collection of the users, and its field of each claim, or an expression over `$user`. */
    users: z
      .strictObject({
        of: text.default('users'),
        /** The ids of the two at the start. */
        ids: z.tuple([text, text]).default(['1001', '1002']),
        claims: z.record(text, z.union([text, z.record(z.string(), z.json())]).superRefine(check)).default({}),
        /** Values of records that may not sign in. */ blocked: z.record(text, z.json()).default({ blocked: true }),
        /** Values of records that are not users: bots, organizations. */ except: z.record(text, z.json()).default({}),
      })
      .prefault({}),
    /** The collection of the clients, values of its records that keep no secret, and that users need not allow, and its field of scopes. @default `clients` */
    clients: z
      .strictObject({ of: text, public: z.record(text, z.json()), trusted: z.record(text, z.json()), scopes: text })
      .exactOptional(),
    /** Only these. @default those of `oidc` */
    paths: z.partialRecord(z.enum(SIGN_IN_STEPS), z.union([path, z.array(path).min(1)])).exactOptional(),
    /** Names in the path that stand for any tenant, and the tenant that tokens then name. */
    tenants: z
      .strictObject({
        shared: z.array(text),
        id: text,
        /** The issuer at paths without a tenant. @default that of the tenant `id` */
        root: text.exactOptional(),
        /** Whether a tenant is a GUID, or a domain, which stands for `id`; others are refused. */
        guids: z.boolean().default(false),
      })
      .exactOptional(),
    tokens: z
      .strictObject({
        /** `false`: OAuth 2.0 without OpenID Connect. */
        id: z
          .union([
            z.literal(false),
            z.strictObject({ lasts, /** Without the scope `openid` too. */ always: z.boolean().default(false) }),
          ])
          .prefault({ lasts: '1h' }),
        access: z
          .strictObject({
            ...token,
            /** `audience`: a JWT for a request with an audience, else opaque. */
            as: z.enum(['jwt', 'opaque', 'audience']).default('jwt'),
            lasts: lasts.default('1h'),
            /** Claims of a JWT besides those of RFC 9068. */
            claims: claims.default({}),
          })
          .prefault({}),
        refresh: z
          .union([
            z.literal(false),
            z.strictObject({
              ...token,
              lasts: lasts.default('30d'),
              rotates: z.boolean().default(true),
              /** Whether it ends with an access token that is revoked. */ endsWithAccess: z.boolean().default(false),
              /** `offline_access`: with that scope. `access_type`: with `access_type=offline`, and only after a question. */
              when: z.enum(['offline_access', 'access_type', 'always']).default('offline_access'),
            }),
          ])
          .prefault({}),
        code: z
          .strictObject({
            lasts: lasts.default('60s'),
            /** Whether the exchange may leave out the `redirect_uri` of the authorization. */
            redirect: z.enum(['required', 'optional']).default('required'),
          })
          .prefault({}),
        /** The clock of the times in tokens. */
        times: z.enum(['client', 'world']).default('client'),
      })
      .prefault({}),
    scopes: z
      .strictObject({
        /** Between the scopes of a request and of an answer. */
        separator: z.string().length(1).default(' '),
        /** The resource of scopes that name none. Where it is given, `api://shop/read` is the scope `read` of `api://shop`, the audience. */
        resource: text.exactOptional(),
        /** The header of API answers with the scopes of the token. */
        header: text.exactOptional(),
        /** Claims by scope, besides those of OpenID Connect. */
        claims: z.record(text, z.array(text)).default({}),
        /** The scopes of a request that names none. */
        usual: z.array(text).default([]),
        /** Names of scopes in answers to applications; null for one that they leave out. */
        shown: z.record(text, text.nullable()).default({}),
        /** Scopes that the provider refuses on a page. */
        refused: z.array(text).default([]),
      })
      .prefault({}),
    /** Claims of ID tokens and of the user info. */
    claims: claims.default({}),
    /** Whether a client may be sent to any path below a registered address, and to any port of a loopback one. */
    redirectsBelow: z.boolean().default(false),
    /** When a user is asked: for new scopes, each time, never. */
    consent: z.enum(['new', 'always', 'never']).default('new'),
    /** Whether scopes besides `openid` require `response_mode=form_post`. */
    formPost: z.boolean().default(false),
    /** Whether the name is posted beside the first code, as `user`. */
    nameOnce: z.boolean().default(false),
    /** Whether clients with a `backchannel_logout_uri` get a logout token when a session ends. */
    backChannel: z.boolean().default(false),
    /** Whether requests may ask by `claims` and `acr_values`. */
    requestedClaims: z.boolean().default(false),
    /** Names of parameters that are not those of the standard. */
    names: z.partialRecord(z.enum(['logout_return']), text).default({}),
    answers: z
      .strictObject({
        /** `form`: without `Accept: application/json`. */
        token: z.enum(['json', 'form']).default('json'),
        /** Further fields of a token answer, expressions; null leaves one out. */
        fields: claims.default({}),
        /** The status of every error. @default that of the standard */
        status: z.int().exactOptional(),
        /** Further fields of what the application gets at its address. */
        callback: claims.default({}),
        /** Further fields of the codes that a device gets. */
        device: claims.default({}),
        /** The user info by its path, over `$answer` and `$profile`, which has every claim. @default that of the standard */
        users: z.record(path, expression).default({}),
        /** The provider's errors, by the code of the standard, or by a code with its cause, such as `invalid_grant.code`; `{description}` is ours. */
        codes: z
          .record(
            text,
            z.union([
              text,
              z.strictObject({
                error: text.exactOptional(),
                status: z.int().exactOptional(),
                description: text.exactOptional(),
              }),
            ]),
          )
          .default({}),
        /** Further fields of an error over `$error`; `ok: false`. */
        error: claims.default({}),
      })
      .prefault({}),
    /** The provider's name on its pages. @default the title of the description */
    name: text.exactOptional(),
    /** Whether the entry itself answers a user who has signed in: the page comes only before it, and for browsers alone. */
    isBefore: z.boolean().default(false),
    /** Whether a client without registration sends a key of the simulation as its secret. */
    keyAsSecret: z.boolean().default(false),
  })
}

/** The content of `sign-in.yaml`, as written. */
export type SignInFile = z.input<ReturnType<typeof signInFile>>
/** The settings of a sign-in, with all defaults. */
export type SignIn = z.output<ReturnType<typeof signInFile>>

const DEFAULT_PATHS: Readonly<Partial<Record<SignInStep, string | readonly string[]>>> = {
  authorize: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
  configuration: ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'],
  revoke: '/revoke',
  introspect: '/introspect',
  device: '/device/code',
  verify: '/device',
  register: '/register',
  logout: '/logout',
  par: '/par',
}

/** The paths of each step; the first is the one that is announced. */
export function pathsOf(signIn: Pick<SignIn, 'paths'>): [SignInStep, readonly string[]][] {
  const paths: typeof DEFAULT_PATHS = signIn.paths ?? DEFAULT_PATHS
  return SIGN_IN_STEPS.flatMap((step) => {
    const found = paths[step]
    return found === undefined ? [] : [[step, [found].flat()] as [SignInStep, readonly string[]]]
  })
}

/** A description with a `sign-in.yaml`. */
export const withSignInFile = (description: JsonObject, file: SignInFile | undefined): JsonObject =>
  file === undefined ? description : { ...description, [SIGN_IN_EXTENSION]: file as JsonObject }
