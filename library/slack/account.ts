/** The workspace, its app and their tokens. */
import { toBot } from './shown.ts'
import {
  ADA,
  APP,
  BOT,
  BOT_USER,
  defined,
  type Fields,
  fieldsOf,
  HOME,
  isMissing,
  type Methods,
  type SlackRequest,
  TEAM,
  textOf,
  textsOf,
} from './slack.ts'

/** Codes that stand for ones that Slack does not know. */
const INVALID_CODE = /^$|invalid|expired|wrong|bad|nope/

/** What an answer of OAuth says of the app and its team. */
const installed = (scopes = ['chat:write', 'channels:read']): Fields => ({
  token_type: 'bot',
  scope: scopes.join(','),
  bot_user_id: BOT_USER,
  app_id: APP,
  team: { name: 'Backlot', id: TEAM },
  enterprise: null,
  is_enterprise_install: false,
})

const TOKEN_S = 43_200

/** A token that ends after 12 hours, and a refresh token: https://docs.slack.dev/authentication/using-token-rotation */
function rotated(slack: SlackRequest, user_id: string): Fields {
  const access_token = `xoxe.xox${user_id === BOT_USER ? 'b' : 'p'}-1-${slack.hex(64)}`
  const refresh_token = `xoxe-1-${slack.hex(64)}`
  const expires_at = new Date(slack.now.getTime() + TOKEN_S * 1_000).toISOString()
  slack.records.access_tokens.create({ id: access_token, user_id, expires_at })
  slack.records.grants.create({ id: refresh_token, kind: 'refresh', user_id })
  return { access_token, refresh_token, expires_in: TOKEN_S }
}

const ICON = Object.fromEntries(
  [34, 44, 68, 88, 102, 132, 230].map((side) => [`image_${side}`, 'https://slack.example/team.png']),
)

export const account: Methods = {
  'POST /api.test': ({ of }) => {
    const args = { ...of.query, ...of.body }
    const facts = { code: 'api_test', message: textOf(args.error), args }
    if (!isMissing(args.error)) of.refuse(200, facts)
    return { args }
  },
  'POST /auth.test': ({ me }) =>
    defined({
      url: `${HOME}/`,
      team: 'Backlot',
      user: me.name,
      team_id: TEAM,
      user_id: me.id,
      bot_id: me.is_bot === true ? BOT : null,
      is_enterprise_install: false,
    }),
  'POST /auth.revoke': ({ args, of, records }) => {
    const revoked = args.test !== true
    if (revoked) records.revoked.create({ id: of.key ?? '' })
    return { revoked }
  },
  'GET /auth.teams.list': () => ({ teams: [{ id: TEAM, name: 'Backlot' }], response_metadata: { next_cursor: '' } }),
  'POST /oauth.v2.exchange': (slack) => {
    if (isMissing(slack.args.client_secret)) slack.refuse('bad_client_secret')
    return { ...installed(), ...rotated(slack, BOT_USER), authed_user: { id: ADA } }
  },
  'POST /oauth.v2.access': (slack) => {
    const { args, records } = slack
    const code = textOf(args.code)
    if (args.grant_type === 'refresh_token') {
      const last = records.grants.get(textOf(args.refresh_token))
      if (last?.kind !== 'refresh') return slack.refuse('invalid_refresh_token')
      records.grants.remove(last)
      return { ...installed(), ...rotated(slack, textOf(last.user_id)) }
    }
    const secret = textOf(args.client_secret)
    const grant = records.grants.get(code)
    if (INVALID_CODE.test(code)) slack.refuse('invalid_code')
    if (grant?.kind === 'used') slack.refuse('code_already_used')
    if (secret === '') slack.refuse('bad_client_secret')
    for (const prefix of ['xoxb', 'xoxp']) {
      const revoked = records.revoked.get(`${prefix}-${secret}`)
      if (revoked !== undefined) records.revoked.remove(revoked)
    }
    if (grant !== undefined) records.grants.update(grant, { kind: 'used' })
    return {
      ...installed(grant && textsOf(grant.scopes)),
      access_token: `xoxb-${secret}`,
      authed_user: {
        id: grant?.user_id ?? ADA,
        scope: 'chat:write',
        access_token: `xoxp-${secret}`,
        token_type: 'user',
      },
    }
  },
  'GET /openid.connect.userInfo': ({ me }) => ({
    ok: true,
    sub: me.id,
    'https://slack.com/user_id': me.id,
    'https://slack.com/team_id': TEAM,
    'https://slack.com/team_name': 'Backlot',
    'https://slack.com/team_domain': 'backlot',
    ...defined({ email: fieldsOf(me.profile).email }),
    email_verified: true,
    name: me.real_name ?? '',
    locale: 'en-US',
  }),
  'GET /team.info': (slack) => {
    if (!isMissing(slack.args.team) && slack.args.team !== TEAM) slack.refuse('team_not_found')
    return {
      team: {
        id: TEAM,
        name: 'Backlot',
        url: `${HOME}/`,
        domain: 'backlot',
        email_domain: 'backlot.example',
        icon: { image_default: true, ...ICON },
        avatar_base_url: 'https://slack.example/avatars/',
        is_verified: false,
      },
    }
  },
  'GET /team.profile.get': () => ({ profile: { fields: [], sections: [] } }),
  'GET /team.billableInfo': ({ args, records }) => {
    const people = records.users.where(
      ({ id, is_bot }) => is_bot === false && (isMissing(args.user) || args.user === id),
    )
    return { billable_info: Object.fromEntries(people.reverse().map(({ id }) => [id, { billing_active: true }])) }
  },
  'GET /emoji.list': ({ stamp }) => ({
    emoji: { backlot: 'https://slack.example/emoji/backlot.png', shipit: 'alias:squirrel' },
    cache_ts: stamp,
  }),
  'GET /bots.info': (slack) => {
    const { bot } = slack.args
    if (isMissing(bot)) return {}
    return bot === BOT ? { bot: toBot() } : slack.refuse('bot_not_found')
  },
}
