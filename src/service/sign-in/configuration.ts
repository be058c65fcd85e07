import type { JsonObject } from '../../protocol/json.ts'
import { SIGN_IN_STEPS, type SignInStep } from '../../protocol/sign-in.ts'
import { GRANT_TYPES } from './grant.ts'
import { addressOf, issuerOf, namesIssuer } from './provider-addresses.ts'
import type { SignInCall } from './sign-in-call.ts'

/** Their names in the configuration. */
const NAMES: Partial<Record<SignInStep, string>> = {
  authorize: 'authorization_endpoint',
  token: 'token_endpoint',
  userinfo: 'userinfo_endpoint',
  jwks: 'jwks_uri',
  revoke: 'revocation_endpoint',
  introspect: 'introspection_endpoint',
  device: 'device_authorization_endpoint',
  register: 'registration_endpoint',
  logout: 'end_session_endpoint',
  par: 'pushed_authorization_request_endpoint',
}
const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']

/** The configuration of the provider (OpenID Connect Discovery, RFC 8414). */
export function describeProvider(call: SignInCall): JsonObject {
  const { scopes, tokens } = call.signIn
  const addresses = SIGN_IN_STEPS.flatMap((step) => {
    const [name, address] = [NAMES[step], addressOf(call, step)]
    return name === undefined || address === undefined ? [] : [[name, address] as const]
  })
  const own = [...Object.keys(scopes.claims), ...scopes.usual]
  const all = tokens.id === false ? own : ['openid', 'profile', 'email', 'phone', 'address', 'offline_access', ...own]
  return {
    issuer: issuerOf(call, true),
    ...Object.fromEntries(addresses),
    scopes_supported: [...new Set(all)],
    response_types_supported: tokens.id === false ? ['code'] : ['code', 'id_token', 'code id_token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: GRANT_TYPES.filter(
      (type) => !type.includes('device') || addressOf(call, 'device') !== undefined,
    ),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'ES256'],
    code_challenge_methods_supported: ['S256', 'plain'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'name', 'email', 'email_verified'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    request_uri_parameter_supported: false,
    ...(call.signIn.requestedClaims && { claims_parameter_supported: true }),
    ...(call.signIn.backChannel && {
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    }),
    authorization_response_iss_parameter_supported: namesIssuer(call),
  }
}
