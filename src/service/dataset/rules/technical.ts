import { singularName } from '../../../names/nouns.ts'
import { capitalised } from '../../../names/words.ts'
import { LINK_ORIGIN } from '../../../protocol/record-links.ts'
import { fraction, hexDigits, mixPair, pickBy } from '../../../runtime/random.ts'
import { drawAt } from '../cell.ts'
import type { Site } from '../site.ts'
import { ADJECTIVES, COLOURS, NOUNS, TAGS, USER_AGENTS } from '../words/general.ts'
import { companyDomain, companyName, companySlug, JOB_TITLES, kindOf, userName } from '../words/person.ts'
import { fileStem, fileType, makeUrl } from '../words/url.ts'
import { formatText } from './format-text.ts'
import { fromDraw, hex, of, oneOf, type Rules, type TextMaker } from './rule.ts'

/** Machines, files, code and access. */
export const TECHNICAL_RULES: Rules = [
  ['uuid guid', ofFormat('uuid')],
  ['id uid sid gid ids uids', fromDraw((draw) => shortId(draw))],
  ['unique_name', slugOf],
  [
    'attributes metadata settings config configuration options properties payload context params parameters extra preferences',
    () => () => '{}',
  ],
  [
    'url uri href website homepage home_page link avatar photo picture logo image icon thumbnail self callback web_page webpage avatar_url logo_url image_url urls uris links photos images endpoint webhook_url clone_url ssh_url avatar_template',
    makeUrl,
  ],
  ['domain hostname host domain_name fqdn dns_name server_name domains hosts cn common_name', of(companyDomain)],
  ['subdomain', of(companySlug)],
  ['ip ip_address ipv4 remote_addr source_ip client_ip ipaddress remote_ip', ofFormat('ipv4')],
  ['ipv6 ipv6_address', ofFormat('ipv6')],
  [
    'cidr subnet ip_range',
    fromDraw(
      (draw) =>
        `${pickBy(['192.0.2', '198.51.100', '203.0.113'], draw)}.0/${pickBy(['24', '25', '26', '28'], mixPair(draw, 1))}`,
    ),
  ],
  ['mac mac_address', fromDraw((draw) => `02:${(hexDigits(draw, 10).match(/../g) as string[]).join(':')}`)],
  ['user_agent useragent', oneOf(...USER_AGENTS)],
  ['browser', oneOf('Firefox', 'Chrome', 'Safari', 'Edge')],
  ['os operating_system platform os_name', oneOf('linux', 'macos', 'windows', 'ios', 'android')],
  ['arch architecture', oneOf('x86_64', 'arm64')],
  ['device device_name device_type device_model', oneOf('MacBook Pro', 'iPhone 15', 'Pixel 8', 'ThinkPad X1')],
  ['iss', () => () => 'https://auth.example.com'],
  ['issuer', (site) => (isOfToken(site) ? () => 'https://auth.example.com' : of(companyName)(site))],
  ['aud', () => () => LINK_ORIGIN],
  ['audience', (site) => (isOfToken(site) ? () => LINK_ORIGIN : oneOf('developers', 'customers', 'everyone')(site))],
  ['provider provider_name', oneOf('google', 'github', 'aws', 'okta')],
  ['service service_name', oneOf('billing', 'search', 'checkout', 'notifications')],
  ['database database_name', oneOf('app_production', 'analytics', 'billing')],
  ['bucket bucket_name', oneOf('uploads', 'backups', 'media-assets', 'exports')],
  ['queue queue_name', oneOf('default', 'emails', 'exports', 'webhooks')],
  ['port', oneOf('443', '8080', '5432')],
  ['ttl', oneOf('3600', '300', '86400')],
  ['position', (site) => (kindOf(site.owner) === 'person' ? oneOf(...JOB_TITLES)(site) : placeInOrder(site))],
  ['sort_order rank', placeInOrder],
  ['script cmd', oneOf('npm run build', 'make test', 'node scripts/seed.js')],
  ['argument arguments arg args', oneOf('--verbose', '--dry-run', '--force')],
  ['expression', expressionOf],
  ['condition', (site) => (isOfRule(site) ? expressionOf(site) : oneOf('good', 'fair', 'new')(site))],
  ['field column property field_name column_name property_name', oneOf('email', 'status', 'created_at', 'amount')],
  ['operator comparator', oneOf('equals', 'contains', 'greater_than')],
  ['repository repo', fromDraw((draw) => `acme/${pickBy(NOUNS, draw)}`)],
  ['protocol scheme', oneOf('https', 'http')],
  ['method http_method request_method verb', oneOf('GET', 'POST', 'PUT', 'DELETE')],
  ['algorithm alg signing_algorithm', oneOf('RS256', 'ES256')],
  ['format output_format', oneOf('json', 'csv', 'pdf')],
  ['encoding charset', oneOf('utf-8')],
  ['branch default_branch base_branch target_branch git_branch base_ref', oneOf('main', 'develop', 'release')],
  ['cron schedule cron_expression crontab', oneOf('0 6 * * 1', '*/15 * * * *', '0 2 * * *', '30 8 1 * *')],
  ['command entrypoint', oneOf('npm start', 'node server.js', 'make build')],
  ['namespace', oneOf('default', 'production', 'staging')],
  ['sha sha1 commit commit_sha commit_id revision_id git_sha head_sha commit_hash after_sha before_sha', hex(40)],
  ['sha256 checksum hash digest fingerprint signature', hex(64)],
  ['md5 etag', hex(32)],
  ['trace_id request_id correlation_id session_id span_id', hex(32)],
  [
    'token access_token refresh_token nonce cursor csrf next_page continuation next_cursor previous_cursor page_token next_page_token csrf_token',
    tokenOf('tok'),
  ],
  ['token_type', (site) => oneOf(String(site.schema.default ?? 'Bearer'))(site)],
  ['secret api_key access_key private_key client_secret secret_key apikey credential', tokenOf('sk')],
  ['public_key publishable_key', tokenOf('pk')],
  ['password', fromDraw((draw) => `${capitalised(pickBy(NOUNS, draw))}-${hexDigits(draw, 8)}`)],
  ['version app_version api_version sdk_version firmware_version semver release tag_name', versionOf],
  ['mime mime_type content_type media_type file_type mimetype', () => (cell) => fileType(cell)[0]],
  [
    'file_name filename original_name attachment_name original_filename',
    () => (cell) => `${fileStem(cell)}.${fileType(cell)[1]}`,
  ],
  ['extension file_ext file_extension filetype', () => (cell) => fileType(cell)[1]],
  [
    'path file_path filepath key_path directory folder_path',
    (site) => (cell) => `/${site.owner.replaceAll('_', '-') || 'files'}/${fileStem(cell)}`,
  ],
  ['color colour hex background foreground background_color text_color primary_color color_code hex_color', colourOf],
  ['emoji', oneOf('🎉', '👍', '🚀', '👀')],
  ['tag tags tag_list tag_name label labels keyword keywords topic topics', oneOf(...TAGS)],
  ['priority severity importance urgency', oneOf('normal', 'high', 'low', 'urgent')],
  ['role roles user_role access_level permission_level', oneOf('member', 'admin', 'viewer', 'editor')],
  ['visibility privacy', oneOf('public', 'private', 'internal')],
  [
    'permission permissions scope scopes grant grants',
    fromDraw(
      (draw) =>
        `${pickBy(['invoices', 'projects', 'users', 'reports'], draw)}:${pickBy(['read', 'write'], mixPair(draw, 1))}`,
    ),
  ],
  ['env environment', oneOf('production', 'staging', 'development')],
  ['style mode strategy policy level tracker_style approach', oneOf('standard', 'default', 'basic', 'advanced')],
  ['result conclusion', oneOf('success', 'success', 'failure', 'skipped')],
  ['status', statusOf],
  [
    'event event_type event_name trigger events event_types',
    fromDraw(
      (draw, { owner }) =>
        `${pickBy(['order', 'invoice', 'contact', 'message', singularName(owner) || 'record'], draw)}.${pickBy(['created', 'updated', 'deleted'], mixPair(draw, 1))}`,
    ),
  ],
  ['action operation activity', oneOf('created', 'updated', 'viewed', 'archived', 'assigned')],
  ['key slug permalink handle url_key alias key_name identifier_name path_name url_slug', slugOf],
  ['code', fromDraw((draw) => `${pickBy(NOUNS, draw).slice(0, 4)}${10 + (mixPair(draw, 1) % 90)}`.toUpperCase())],
  ['query search search_query filter', oneOf('status:open', 'created:>2026-01-01', 'label:billing')],
  ['regex regexp pattern', oneOf('^[A-Z]{3}-[0-9]+$', '^[a-z]+$')],
  ['type kind category group class classification subtype object_type resource_type entity_type', typeOf],
  [
    'object',
    ({ owner }) =>
      () =>
        owner || 'object',
  ],
]

function ofFormat(format: string): (site: Site) => TextMaker {
  return (site) => formatText(site, format) as TextMaker
}

/** `k3v9x0q2m1zt`: twelve letters and digits. */
function shortId(draw: number): string {
  return `${draw.toString(36).padStart(7, '4')}${mixPair(draw, 1).toString(36).padStart(7, 'r')}`.slice(0, 12)
}

function tokenOf(prefix: string): (site: Site) => TextMaker {
  return fromDraw((draw) => `${prefix}_test_${hexDigits(draw, 24)}`)
}

/** A status without an enum. */
export function statusOf({ key, schema }: Site): TextMaker {
  if (typeof schema.example === 'string' && schema.example !== '') {
    const usual = schema.example
    const other = usual === usual.toUpperCase() ? 'INACTIVE' : 'inactive'
    return (cell) => (cell.frame.isNew || !/^active$/i.test(usual) || fraction(drawAt(cell, key)) < 0.8 ? usual : other)
  }
  return (cell) => {
    if (cell.frame.isNew) return 'active'
    const share = fraction(drawAt(cell, key))
    return share < 0.72 - cell.frame.age * 0.2 ? 'active' : share < 0.85 ? 'pending' : 'inactive'
  }
}

function colourOf({ key, snake, schema }: Site): TextMaker {
  const example = typeof schema.example === 'string' ? schema.example : ''
  const isBare = schema.maxLength === 6 || /^[\da-f]{6}$/i.test(example) || schema.pattern === '^[0-9a-f]{6}$'
  const isNamed = /^[a-z]+$/i.test(example) || /name/.test(snake)
  return (cell) => {
    const [name, code] = pickBy(COLOURS, drawAt(cell, key))
    return isNamed ? name : isBare ? code.slice(1) : code
  }
}

/** Whether a field stands beside the other claims of a token, or the settings of log-in. */
const isOfToken = ({ siblings }: Site): boolean =>
  'iss aud issuer_url audience issuer jwks_uri client_id scope scopes algorithm alg'
    .split(' ')
    .filter((name) => siblings.has(name)).length > 1

/** Whether a field is part of a rule. */
const isOfRule = ({ owner, siblings }: Site): boolean =>
  /rule|trigger|filter|polic|workflow|alert/.test(owner) ||
  ['operator', 'action', 'actions', 'expression', 'rule', 'trigger'].some((name) => siblings.has(name))

function placeInOrder(site: Site): TextMaker {
  return fromDraw((draw) => String(1 + (draw % 20)))(site)
}

function expressionOf(site: Site): TextMaker {
  return oneOf('amount > 100', 'status == "active"', 'count >= 5')(site)
}

function versionOf({ key, schema }: Site): TextMaker {
  const example = typeof schema.example === 'string' ? schema.example : ''
  const parts = /^v?\d+(?:\.\d+)*$/.test(example) ? example.split('.').length : 3
  const lead = example.startsWith('v') ? 'v' : ''
  return (cell) => {
    const draw = drawAt(cell, key)
    return lead + [1 + (draw % 4), mixPair(draw, 1) % 14, mixPair(draw, 2) % 9].slice(0, parts).join('.')
  }
}

function slugOf({ key, owner }: Site): TextMaker {
  const kind = kindOf(owner)
  if (kind === 'company') return (cell) => companySlug(cell.subject)
  if (kind === 'person') return (cell) => userName(cell.subject)
  return (cell) => `${pickBy(ADJECTIVES, drawAt(cell, key))}-${pickBy(NOUNS, mixPair(drawAt(cell, key), 1))}`
}

function typeOf({ schema, owner }: Site): TextMaker {
  const { example } = schema
  return typeof example === 'string' && example !== '' ? () => example : () => owner || 'standard'
}
