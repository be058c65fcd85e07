import { isJsonObject, type JsonObject, jsonOr } from '../../protocol/json.ts'
import { secondsIn } from '../../protocol/sign-in.ts'
import { faultOfForm, tokenIn } from '../pages/page.ts'
import { answerJson, errorOf, refuse, writeInto } from './answers.ts'
import { authenticateClient, type Client, faultOfGrant, findClient, isPublicClient, redirectOf } from './clients.ts'
import { audienceOf, DEVICE_GRANT, DEVICE_INTERVAL } from './grant.ts'
import { signOut } from './logout.ts'
import { type Granted, mintId, recordOf } from './mint.ts'
import { accountPage, consentPage, devicePage, logoutPage, postPage, problemPage, resultPage } from './pages.ts'
import { addressOf, issuerOf, namesIssuer } from './provider-addresses.ts'
import { cookieOf, findSession, openSession, type Session } from './sessions.ts'
import {
  expiryOf,
  type Fields,
  isOver,
  iso,
  type SignInAnswer,
  type SignInCall,
  scopesIn,
  showScopes,
  textOf,
  textsOf,
} from './sign-in-call.ts'
import { addressShown, allUsers, emailOf, findUser, findUserNamed, isBlocked, nameOf, type User } from './users.ts'

const PAGE_SECONDS = 1_800
const MOST_LISTED = 20

/** What an application, or a device, asks a user for. */
interface Asking {
  readonly kind: 'code' | 'device'
  readonly client: Client
  readonly fields: Fields
  readonly scopes: readonly string[]
  /** Where the answer goes; '' for a device. */
  readonly redirect: string
  /** The record of the device's code. */
  readonly device: string
}

/** The authorization endpoint (RFC 6749, 3.1), and the forms of its pages, which post to the same address. */
export function authorize(call: SignInCall): SignInAnswer | undefined {
  if (call.method === 'POST' && call.fields.interaction !== undefined) return interact(call)
  if (call.signIn.isBefore) return askBefore(call)
  const pushed = readPushed(call)
  if ('status' in pushed) return pushed
  const { fields } = pushed
  const client = findClient(call, fields.client_id ?? '')
  if ('fault' in client) return problemPage(client.fault)
  const redirect = redirectOf(client, fields.redirect_uri ?? '')
  if ('fault' in redirect) return problemPage(redirect.fault)
  const scopes = scopesIn(call, fields.scope ?? '')
  const refused = scopes.find((scope) => call.signIn.scopes.refused.includes(scope))
  if (refused !== undefined) return problemPage(`invalid_scope: ${call.signIn.name} has no scope "${refused}".`)
  const usual = scopes.length > 0 ? scopes : usualScopes(call, client)
  const asking: Asking = { kind: 'code', client, fields, scopes: usual, redirect: redirect.address, device: '' }
  const fault = faultOfRequest(call, asking)
  return fault === undefined ? decide(call, asking) : redirectBack(call, asking, fault)
}

/** Asks a browser who signs in; undefined where the entry answers: to programs, and for the user whom the request names. */
function askBefore(call: SignInCall): SignInAnswer | undefined {
  const { fields, headers } = call
  const isPage = (headers['sec-fetch-dest'] ?? headers.accept?.replace(/^text\/html.*/, 'document')) === 'document'
  const session = isPage ? findSession(call) : undefined
  const isAsked = session === undefined || (!session.isAutomatic && mustChoose(call, fields, session))
  if (!isPage || (!isAsked && findUserNamed(call, fields.login_hint ?? '')?.id === session.user.id)) return undefined
  const redirect = redirectOf({ id: '', record: undefined }, fields.redirect_uri ?? '')
  if ('fault' in redirect) return problemPage(redirect.fault)
  const client = { id: fields.client_id || 'the application', record: undefined }
  const asking: Asking = { kind: 'code', client, fields, scopes: [], redirect: redirect.address, device: '' }
  return isAsked ? askAccount(call, asking) : nameUser(call, asking, session.user)
}

/** Sends the browser on with the user in its request. */
function nameUser(call: SignInCall, asking: Asking, { record }: User): SignInAnswer {
  const { prompt: _, max_age: __, ...fields } = asking.fields
  const query = new URLSearchParams({ ...fields, login_hint: emailOf(call, record) })
  const Location = `${call.origin}${call.path}?${query}`
  return { status: 303, headers: { Location, 'Cache-Control': 'no-store' }, body: null }
}

const usualScopes = (call: SignInCall, { record }: Client): string[] =>
  record?.scope === undefined ? call.signIn.scopes.usual : scopesIn(call, textOf(record.scope))

/** The fields of a request, or those that it has pushed before (RFC 9126). */
function readPushed(call: SignInCall): { readonly fields: Fields } | SignInAnswer {
  const { fields } = call
  if (fields.request_uri === undefined) return { fields }
  const id = fields.request_uri.replace(/^urn:ietf:params:oauth:request_uri:/, '')
  const pushed = call.records('interactions').get(id)
  if (pushed === undefined || pushed.step !== 'pushed' || isOver(call, pushed))
    return problemPage('The `request_uri` is unknown or has expired.')
  call.records('interactions').remove(id)
  return { fields: { ...(pushed.fields as Fields), client_id: fields.client_id ?? '' } }
}

/** Takes the parameters of a request (RFC 9126). */
export function pushRequest(call: SignInCall): SignInAnswer {
  const client = authenticateClient(call)
  if ('status' in client) return client
  const redirect = redirectOf(client, call.fields.redirect_uri ?? '')
  if ('fault' in redirect) return refuse(call, 'invalid_request', redirect.fault)
  const { client_secret: _, client_assertion: __, ...fields } = call.fields
  const id = call.secret('', 32)
  call.records('interactions').create({ id, step: 'pushed', fields, expires_at: expiryOf(call, 60) })
  return answerJson({ request_uri: `urn:ietf:params:oauth:request_uri:${id}`, expires_in: 60 }, 201)
}

const RESPONSE_TYPES = ['code', 'id_token', 'code id_token']
/** Those that a description need not declare (OpenID Connect, 5.4 and 11). */
const OPENID_SCOPES = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access']
const RESPONSE_MODES = ['query', 'fragment', 'form_post']

/** An error for the application; undefined for a request in order. */
function faultOfRequest(call: SignInCall, { client, fields, scopes }: Asking): Fields | undefined {
  const fault = (error: string, error_description: string) => ({ error, error_description })
  if (fields.request !== undefined)
    return fault('request_not_supported', 'Expected the parameters as they are: `request` is not supported.')
  if (!isJsonObject(jsonOr(fields.claims || '{}', null)))
    return fault('invalid_request', 'Expected claims to be a JSON object, got another text.')
  const type = typeOf(fields)
  const { id } = call.signIn.tokens
  const types = id === false ? ['code'] : RESPONSE_TYPES
  if (!types.includes(type))
    return fault('unsupported_response_type', `Expected response_type to be one of ${types.join(', ')}, got ${type}.`)
  const unfit = type.includes('code') ? faultOfGrant(client, 'authorization_code') : undefined
  if (unfit !== undefined) return fault('unauthorized_client', unfit)
  const mode = fields.response_mode
  if (mode !== undefined && mode !== '' && !RESPONSE_MODES.includes(mode))
    return fault('invalid_request', `Expected response_mode to be one of ${RESPONSE_MODES.join(', ')}, got ${mode}.`)
  if (type !== 'code' && !fields.nonce) return fault('invalid_request', 'Expected nonce to be given, got none.')
  if (type !== 'code' && mode === 'query')
    return fault('invalid_request', 'Expected response_mode to be fragment or form_post.')
  if (call.signIn.formPost && mode !== 'form_post' && scopes.some((scope) => scope !== 'openid'))
    return fault('invalid_request', 'response_mode must be form_post when name or email scope is requested.')
  const method = fields.code_challenge_method || 'plain'
  if (fields.code_challenge && !['S256', 'plain'].includes(method))
    return fault('invalid_request', `Expected code_challenge_method to be S256 or plain, got ${method}.`)
  if (isPublicClient(client) && !fields.code_challenge)
    return fault('invalid_request', 'Expected code_challenge of a public client, got none.')
  const prompts = promptsOf(fields)
  if (prompts.includes('none') && prompts.length > 1)
    return fault('invalid_request', 'Expected prompt to be none alone, got more.')
  if (fields.max_age && !/^\d+$/.test(fields.max_age))
    return fault('invalid_request', `Expected max_age to be a number of seconds, got ${fields.max_age}.`)
  const more = faultOfScopes(call, client, scopes)
  return more === undefined ? undefined : fault('invalid_scope', more)
}

/** Why a client may not ask for scopes; undefined where it may. */
export function faultOfScopes(call: SignInCall, { record }: Client, scopes: readonly string[]): string | undefined {
  const registered = scopesIn(call, textOf(record?.scope))
  const isDeclared = registered.length === 0 && call.signIn.keyAsSecret
  const allowed = isDeclared ? call.signIn.scopes.usual : registered
  const known = isDeclared ? [...allowed, ...OPENID_SCOPES] : allowed
  // Some APIs take their scopes with commas.
  const isKnown = (scope: string) => scope.split(',').every((one) => known.includes(one)) || scope.endsWith('/.default')
  const more = allowed.length === 0 ? undefined : scopes.find((scope) => !isKnown(scope))
  return more === undefined ? undefined : `Expected scope to be within ${allowed.join(' ')}, got ${more}.`
}

const typeOf = ({ response_type }: Fields): string => (response_type || 'code').split(/\s+/).toSorted().join(' ')
const promptsOf = ({ prompt = '' }: Fields): string[] => prompt.split(/\s+/).filter(Boolean)

/** Asks what is still open, or answers. @param chosen the session of a user who was just chosen on the page */
function decide(call: SignInCall, asking: Asking, chosen?: Session): SignInAnswer {
  const { fields, client, scopes } = asking
  const prompts = promptsOf(fields)
  const session = chosen ?? findSession(call)
  const automatic = session?.isAutomatic === true
  const isSilent = prompts.includes('none')
  if (session === undefined || (chosen === undefined && !automatic && mustChoose(call, fields, session)))
    return isSilent ? redirectBack(call, asking, { error: 'login_required' }) : askAccount(call, asking)
  const consent = consentOf(call, session.user, client)
  const isNew = scopes.some((scope) => !consent.includes(scope)) || consent.length === 0
  const isTrusted = client.record?.skip_consent === true || call.signIn.consent === 'never'
  const isAsked = prompts.includes('consent') || call.signIn.consent === 'always' || isNew
  if (automatic || isTrusted || !isAsked) return finish(call, asking, session, automatic && isAsked)
  if (isSilent) return redirectBack(call, asking, { error: 'consent_required' })
  return askConsent(call, asking, session, chosen !== undefined)
}

/** Whom the application expects: an address, or the subject of an ID token. */
const hintIn = ({ signer }: SignInCall, { login_hint, id_token_hint = '' }: Fields): string =>
  login_hint || textOf(signer.read(id_token_hint)?.sub)

/** Whether a user with a session is asked again who signs in. */
function mustChoose(call: SignInCall, fields: Fields, { user, signedInAt }: Session): boolean {
  const prompts = promptsOf(fields)
  if (prompts.includes('login') || prompts.includes('select_account') || prompts.includes('create')) return true
  const hint = findUserNamed(call, hintIn(call, fields))
  if (hint !== undefined && hint.id !== user.id) return true
  const age = Number(fields.max_age)
  return fields.max_age !== undefined && fields.max_age !== '' && call.now - signedInAt > age * 1_000
}

const consentOf = (call: SignInCall, user: User, client: Client): string[] =>
  textsOf(call.records('consents').find({ user_id: user.id, client_id: client.id })?.scopes)

/** A page's state: what was asked, until it is answered. */
function remember(call: SignInCall, asking: Partial<Asking>, more: JsonObject): string {
  const interactions = call.records('interactions')
  for (const old of interactions.where({})) if (isOver(call, old)) interactions.remove(textOf(old.id))
  const id = call.secret('', 32)
  const { kind = '', client, fields = {}, scopes = [], redirect = '', device = '' } = asking
  const asked = { kind, client_id: client?.id ?? '', fields: { ...fields }, scopes: [...scopes], redirect, device }
  interactions.create({ id, ...asked, ...more, expires_at: expiryOf(call, PAGE_SECONDS) })
  return id
}

const factsOf = (call: SignInCall, { client }: Asking, token: string, problem?: string) => ({
  token,
  client: textOf(client.record?.client_name) || textOf(client.record?.name) || client.id,
  provider: call.signIn.name ?? 'API',
  problem,
})

function askAccount(call: SignInCall, asking: Asking, problem?: string): SignInAnswer {
  const token = remember(call, asking, { step: 'account' })
  const hint = hintIn(call, asking.fields)
  const all = allUsers(call)
  const hinted = findUserNamed(call, hint)
  const listed = all.slice(0, MOST_LISTED)
  const shown = hinted === undefined ? listed : [hinted, ...listed.filter(({ id }) => id !== hinted.id)]
  const rows = shown.map(({ id, record }) => ({ id, name: nameOf(call, record), email: addressShown(call, record) }))
  return accountPage(factsOf(call, asking, token, problem), rows, hinted === undefined ? hint : '')
}

function askConsent(call: SignInCall, asking: Asking, session: Session, isNew: boolean): SignInAnswer {
  const token = remember(call, asking, { step: 'consent', session: session.id })
  const { record } = session.user
  const shown = { name: nameOf(call, record), email: addressShown(call, record) }
  return consentPage(factsOf(call, asking, token), asking.scopes, shown, isNew ? cookieOf(call, session) : {})
}

/** The answer of a user: a form of one of the pages. */
export function interact(call: SignInCall): SignInAnswer {
  const { fields, headers } = call
  const fault = faultOfForm(headers, call.origin)
  if (fault !== undefined) return problemPage(fault, 403)
  const interactions = call.records('interactions')
  const pending = interactions.get(tokenIn(fields))
  if (pending === undefined || pending.step === 'pushed' || isOver(call, pending))
    return problemPage('This page has expired. Start again in the application.')
  interactions.remove(textOf(pending.id))
  if (pending.step === 'logout')
    return fields.allow === undefined ? resultPage('Signed in', 'You are still signed in.') : signOut(call, pending)
  if (pending.step === 'device') return openDevice(call, fields.user_code ?? '')
  const client = findClient(call, textOf(pending.client_id))
  if ('fault' in client) return problemPage(client.fault)
  const asking: Asking = {
    kind: pending.kind === 'device' ? 'device' : 'code',
    client,
    fields: isJsonObject(pending.fields) ? (pending.fields as Fields) : {},
    scopes: textsOf(pending.scopes),
    redirect: textOf(pending.redirect),
    device: textOf(pending.device),
  }
  if (fields.cancel !== undefined) return refuseAccess(call, asking)
  return pending.step === 'consent' ? allow(call, asking, textOf(pending.session)) : choose(call, asking)
}

function choose(call: SignInCall, asking: Asking): SignInAnswer {
  const { account, email = '' } = call.fields
  const user = account === undefined ? findUserNamed(call, email) : findUser(call, account)
  if (user === undefined) {
    const named = (account ?? email).slice(0, 200)
    const { of } = call.signIn.users
    return askAccount(call, asking, `There is no account "${named}". Create one with create('${of}', { email, name }).`)
  }
  if (isBlocked(call, user)) return askAccount(call, asking, `The account of ${nameOf(call, user.record)} is blocked.`)
  const session = openSession(call, user)
  const answer = call.signIn.isBefore ? nameUser(call, asking, user) : decide(call, asking, session)
  return { ...answer, headers: { ...answer.headers, ...cookieOf(call, session) } }
}

function allow(call: SignInCall, asking: Asking, id: string): SignInAnswer {
  if (call.fields.allow === undefined) return problemPage('Expected an answer of the page, got none.')
  const session = findSession(call, id)
  if (session === undefined) return problemPage('The sign-in has ended. Start again in the application.')
  return finish(call, asking, session, true)
}

function refuseAccess(call: SignInCall, asking: Asking): SignInAnswer {
  if (asking.kind === 'code')
    return redirectBack(call, asking, { error: 'access_denied', error_description: 'The user has refused.' })
  call.records('grants').update(asking.device, { status: 'denied' })
  return resultPage('Access refused', 'The device gets no access. You can close this page.')
}

/** Answers the application: the user is known and has allowed the scopes. */
function finish(call: SignInCall, asking: Asking, session: Session, wasAsked: boolean): SignInAnswer {
  const { client, fields, scopes } = asking
  const { user } = session
  const known = call.records('consents').find({ user_id: user.id, client_id: client.id })
  const all = [...new Set([...textsOf(known?.scopes), ...scopes])]
  const consent = { user_id: user.id, client_id: client.id, scopes: all, scope: all.join(' ') }
  if (known === undefined) call.records('consents').create({ id: call.secret('consent_', 24), ...consent })
  else if (wasAsked) call.records('consents').update(textOf(known.id), consent)
  const granted: Granted = {
    client,
    user,
    scopes,
    audience: audienceOf({ fields }),
    nonce: fields.nonce ?? '',
    signedInAt: session.signedInAt,
    signIn: session.id,
    family: call.secret('', 24),
    wasAsked,
    accessType: fields.access_type ?? '',
    asked: call.signIn.requestedClaims ? askedIn(fields) : {},
  }
  call.records('sign_ins').update(session.id, { client_ids: [...new Set([...session.clients, client.id])] })
  if (asking.kind === 'device') {
    call.records('grants').update(asking.device, { status: 'allowed', ...recordOf(granted) })
    return resultPage('Signed in', 'Go back to your device. You can close this page.')
  }
  const type = typeOf(fields)
  const code = type.includes('code') ? call.secret('', 43) : undefined
  if (code !== undefined)
    call.records('grants').create({
      id: code,
      kind: 'code',
      ...recordOf(granted),
      redirect_uri: fields.redirect_uri ?? '',
      code_challenge: fields.code_challenge ?? '',
      code_challenge_method: fields.code_challenge_method || 'plain',
      expires_at: expiryOf(call, secondsIn(call.signIn.tokens.code.lasts)),
    })
  return redirectBack(call, asking, {
    ...(code !== undefined && { code }),
    ...(type.includes('id_token') && { id_token: mintId(call, granted, code === undefined ? {} : { code }) }),
    ...(call.signIn.nameOnce && known === undefined && { user: postedUser(call, user) }),
  })
}

/** What a request asks for besides its scopes: a class of authentication, and claims by name (OpenID Connect, 5.5). */
function askedIn({ acr_values = '', claims }: Fields): JsonObject {
  const places = jsonOr(claims ?? '', {})
  const namesAt = (place: string) => Object.keys((isJsonObject(places) && places[place]) || {})
  return { acr: acr_values.split(' ')[0] || null, id_token: namesAt('id_token'), userinfo: namesAt('userinfo') }
}

/** Apple posts the name once, beside the first code. */
function postedUser(call: SignInCall, { record }: User): string {
  const [firstName = '', ...rest] = nameOf(call, record).split(' ')
  return JSON.stringify({ name: { firstName, lastName: rest.join(' ') }, email: emailOf(call, record) })
}

/** Sends the answer to the application, in the mode that it asked for. */
function redirectBack(call: SignInCall, { fields: asked, redirect, scopes }: Asking, answer: Fields): SignInAnswer {
  const { error, description } = errorOf(call, answer.error ?? '', answer.error_description)
  const fields: Record<string, string> = {
    ...answer,
    ...(answer.error !== undefined && { error, ...(description && { error_description: description }) }),
    ...(asked.state !== undefined && { state: asked.state }),
    ...(namesIssuer(call) && { iss: issuerOf(call) }),
  }
  writeInto(call, fields, call.signIn.answers.callback, { answer: { scope: showScopes(call, scopes), ...answer } })
  const mode = asked.response_mode || (typeOf(asked) === 'code' ? 'query' : 'fragment')
  if (mode === 'form_post') return postPage(redirect, fields)
  const mark = mode === 'fragment' ? '#' : redirect.includes('?') ? '&' : '?'
  const Location = redirect + mark + new URLSearchParams(fields).toString()
  return { status: call.method === 'GET' ? 302 : 303, headers: { Location, 'Cache-Control': 'no-store' }, body: null }
}

/** Begins the sign-in of a device (RFC 8628, 3.1). */
export function beginDevice(call: SignInCall): SignInAnswer {
  const client = authenticateClient(call)
  if ('status' in client) return client
  const fault = faultOfGrant(client, DEVICE_GRANT)
  if (fault !== undefined) return refuse(call, 'unauthorized_client', fault)
  const lasts = 600
  const device = call.secret('', 40)
  const letters = [...call.secret('', 8)].map((letter) => 'BCDFGHJKLMNPQRSTVWXZ'[(letter.codePointAt(0) ?? 0) % 20])
  const code = `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
  const asked = scopesIn(call, call.fields.scope ?? '')
  const scopes = asked.length > 0 ? asked : usualScopes(call, client)
  call.records('grants').create({
    id: device,
    kind: 'device',
    status: 'pending',
    user_code: code,
    client_id: client.id,
    scopes,
    audience: audienceOf(call),
    expires_at: expiryOf(call, lasts),
    asked_at: iso(0),
  })
  const address = addressOf(call, 'verify') ?? `${call.origin}/device`
  const body: JsonObject = {
    device_code: device,
    user_code: code,
    verification_uri: address,
    verification_uri_complete: `${address}?user_code=${code}`,
    expires_in: lasts,
    interval: DEVICE_INTERVAL,
  }
  writeInto(call, body, call.signIn.answers.device, { answer: body })
  return answerJson(body)
}

/** The page for the code of a device, and its forms. */
export function verifyDevice(call: SignInCall): SignInAnswer {
  if (call.method === 'POST' && call.fields.interaction !== undefined) return interact(call)
  return askCode(call, call.fields.user_code ?? '')
}

function askCode(call: SignInCall, code: string, problem?: string): SignInAnswer {
  const token = remember(call, {}, { step: 'device' })
  return devicePage({ token, provider: call.signIn.name ?? 'API', problem }, code)
}

function openDevice(call: SignInCall, given: string): SignInAnswer {
  const bare = (code: string) => code.toUpperCase().replaceAll(/[^A-Z]/g, '')
  if (bare(given) === '')
    return askCode(
      call,
      given,
      'Expected the code of a device, got none. Fill it in, or open `verification_uri_complete`.',
    )
  const device = call
    .records('grants')
    .where({ kind: 'device', status: 'pending' })
    .find((one) => bare(textOf(one.user_code)) === bare(given) && !isOver(call, one))
  if (device === undefined) return askCode(call, given, 'No device waits with this code.')
  const client = findClient(call, textOf(device.client_id))
  if ('fault' in client) return problemPage(client.fault)
  const asked = { fields: {}, scopes: textsOf(device.scopes), redirect: '', device: textOf(device.id) }
  return decide(call, { kind: 'device', client, ...asked })
}

/** Asks whether to sign out, where nothing proves that the application asks. */
export function askLogout(call: SignInCall, asked: JsonObject): SignInAnswer {
  const token = remember(call, {}, { step: 'logout', ...asked })
  return logoutPage({ token, provider: call.signIn.name ?? 'API' })
}
