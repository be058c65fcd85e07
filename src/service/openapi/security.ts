import { foldName, wordsOf } from '../../names/words.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Operation, SecurityScheme } from './model.ts'
import { onePer } from './one-per.ts'
import { objectEntries, textOf } from './operation-draft.ts'
import type { LocalReferences } from './references.ts'

/** Name of the scheme for APIs without schemes: a bearer token. */
const DEFAULT_SCHEME = 'simulationKey'

/** Folded names of headers with the caller's key. */
const KEY_HEADER =
  /^(?!.*(csrf|xsrf|idempotency|page)).*(api|access|auth|app|subscription|secret|server|account)(key|token)$/

/** Paths whose requests may have other credentials than the key: `POST /auth/login` with `Authorization: Basic`. */
const SIGNS_IN =
  /^(log(in|out)?|sign(in|up|out)?|auth\w*|sso|otp|tokens?|sessions?|refresh|register|verif\w*|password\w*|activat\w*|accept|connect)$/
const signsIn = (path: string): boolean => wordsOf(path).some((word) => SIGNS_IN.test(word))

/** Reads the security requirements. One per description. */
export class SecurityReader {
  readonly schemes = new Map<string, SecurityScheme>()
  readonly #global: unknown
  /** Whether the description has security requirements at all. */
  readonly #isUsed: boolean
  readonly #operations: readonly JsonObject[]
  readonly #references: LocalReferences
  readonly #alternativesIn = onePer((written: unknown) => this.#read(written))
  readonly #scopesIn = onePer((written: unknown) => this.#readScopes(written))

  constructor(document: JsonObject, references: LocalReferences, operations: readonly JsonObject[]) {
    const components = isJsonObject(document.components) ? document.components : {}
    const written = document.swagger === undefined ? components.securitySchemes : document.securityDefinitions
    for (const [name, raw] of objectEntries(written)) this.schemes.set(name, readScheme(references.resolve(raw).value))
    this.#global = document.security
    this.#operations = operations
    this.#references = references
    const all = [this.#global, ...operations.map((operation) => operation.security)]
    this.#isUsed = all.some((security) => Array.isArray(security) && security.length > 0)
  }

  /** The alternatives of an operation; empty: public. Undefined schemes count as bearer tokens. */
  of(operation: JsonObject, path: string, isLogin: boolean): Pick<Operation, 'security' | 'scopes'> {
    const security: unknown = operation.security ?? this.#global ?? (signsIn(path) ? undefined : this.#asked(operation))
    const alternatives = this.#alternativesIn(security)
    // Generators leave the requirement of the whole API on the login that gives its token.
    const isGiven = isLogin && operation.security === undefined
    if (isGiven && alternatives.some((all) => all.every((name) => this.#isToken(name)))) return { security: [] }
    const scopes = this.#scopesIn(security)
    return scopes.some((all) => all.length > 0) ? { security: alternatives, scopes } : { security: alternatives }
  }

  /** The requirement of an operation that has none, but requires the parameter or the header of a scheme's key (rswag). */
  #asked({ parameters }: JsonObject): unknown {
    if (!this.#isUsed || !Array.isArray(parameters)) return undefined
    const required = parameters.map((written) => this.#references.resolve(written).value).filter((one) => one.required)
    const found = [...this.schemes].filter(([, scheme]) =>
      required.some(({ in: place, name }) => {
        if (scheme.kind === 'apiKey') return place === scheme.in && name === scheme.name
        return place === 'header' && /^authorization$/i.test(String(name))
      }),
    )
    return found.length === 0 ? undefined : found.map(([name]) => ({ [name]: [] }))
  }

  /** Whether a login gives what the scheme asks for. */
  #isToken(name: string): boolean {
    const scheme = this.schemes.get(name)
    if (scheme?.kind === 'apiKey') return scheme.in === 'cookie' || /^authorization$/i.test(scheme.name)
    return scheme?.kind !== 'basic'
  }

  #read(written: unknown): readonly (readonly string[])[] {
    if (!this.#isUsed) return Array.isArray(written) ? [] : this.#anyScheme()
    if (!Array.isArray(written)) return []
    const alternatives = written.filter(isJsonObject).map((requirement) => Object.keys(requirement))
    for (const name of alternatives.flat()) this.#define(name)
    return alternatives
  }

  #readScopes(written: unknown): readonly (readonly string[])[] {
    if (!Array.isArray(written)) return []
    return written.filter(isJsonObject).map((requirement) =>
      Object.entries(requirement).flatMap(([name, scopes]) => {
        const kind = this.schemes.get(name)?.kind
        const isScoped = kind === 'oauth2' || kind === 'openIdConnect'
        return isScoped && Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []
      }),
    )
  }

  #anyScheme(): string[][] {
    if (this.schemes.size === 0) {
      this.#findKeyHeaders()
      this.#define(DEFAULT_SCHEME)
    }
    return [...this.schemes.keys()].map((name) => [name])
  }

  /** `X-Postmark-Server-Token`: a description without schemes may declare the key as a header of most operations. */
  #findKeyHeaders(): void {
    const counts = new Map<string, number>()
    for (const { parameters } of this.#operations) {
      for (const written of Array.isArray(parameters) ? parameters : []) {
        const { in: place, name } = this.#references.resolve(written).value
        if (place === 'header' && typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    for (const [name, count] of counts) {
      if (KEY_HEADER.test(foldName(name)) && count * 2 > this.#operations.length)
        this.schemes.set(name, { kind: 'apiKey', in: 'header', name })
    }
  }

  #define(name: string): void {
    if (!this.schemes.has(name)) this.schemes.set(name, { kind: 'any' })
  }
}

function readScheme(raw: JsonObject): SecurityScheme {
  switch (raw.type) {
    case 'basic':
      return { kind: 'basic' }
    case 'http': {
      const kind = textOf(raw.scheme)?.toLowerCase()
      return { kind: kind === 'basic' || kind === 'bearer' ? kind : 'any' }
    }
    case 'apiKey':
      return readApiKey(raw)
    case 'oauth2':
    case 'openIdConnect':
      return { kind: raw.type }
    default:
      return { kind: 'any' }
  }
}

function readApiKey(raw: JsonObject): SecurityScheme {
  const place = raw.in === 'query' || raw.in === 'cookie' ? raw.in : 'header'
  return { kind: 'apiKey', in: place, name: textOf(raw.name) ?? 'Authorization' }
}
