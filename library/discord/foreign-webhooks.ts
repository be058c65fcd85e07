import { type DiscordRequest, type Fields, fieldsOf, type Json, listOf } from './discord.ts'

/** Texts of Slack's messages as Discord writes them: links are `<address|words>` there. */
const unslacked = (text: Json | undefined): string =>
  String(text ?? '').replace(/<(https?:[^|>]+)\|([^>]+)>/g, '[$2]($1)')

/** A message of Slack's webhooks as one of Discord's: https://docs.discord.com/developers/resources/webhook */
export const slackMessage = (discord: DiscordRequest) => {
  const { path, query, call, respond } = discord
  const { text, username, icon_url, attachments } = discord.body
  const embeds = listOf(attachments).map(({ color, fields, ...shown }) => ({
    ...(shown.title != null && { title: shown.title, url: shown.title_link ?? null }),
    description: unslacked([shown.pretext, shown.text].filter((part) => part != null).join('\n')),
    ...(/^#?[\da-f]{6}$/i.test(String(color)) && { color: Number.parseInt(String(color).replace('#', ''), 16) }),
    ...(shown.author_name != null && { author: { name: shown.author_name } }),
    ...(shown.footer != null && { footer: { text: shown.footer } }),
    fields: listOf(fields).map(({ title, value, short }) => ({ name: title, value: unslacked(value), inline: short })),
  }))
  const hook = `/webhooks/${path.webhook_id}/${path.webhook_token}`
  const place = query.thread_id === undefined ? '' : `?thread_id=${query.thread_id}`
  const sent = { content: unslacked(text), username, avatar_url: icon_url, embeds }
  const { status, body } = call('POST', `${hook}${place}`, sent)
  return status < 300
    ? respond({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' })
    : respond({ status, body })
}

/** What Discord shows of an event of GitHub: the part in the title, and where it leads. */
type Shown = (event: Fields) => readonly [title: string, about?: Json | undefined, text?: Json | undefined]
const VERBS: Readonly<Record<string, string>> = { opened: 'opened', closed: 'closed', reopened: 'reopened' }
const numbered = (what: string, { action }: Fields, one: Fields): readonly [string, Json, Json?] =>
  VERBS[String(action)] === undefined
    ? ['', one]
    : [`${what} ${action}: #${one.number} ${one.title}`, one, action === 'opened' ? (one.body ?? '') : '']
const EVENTS: Readonly<Record<string, Shown>> = {
  issues: (event) => numbered('Issue', event, fieldsOf(event.issue)),
  pull_request: (event) => numbered('Pull request', event, fieldsOf(event.pull_request)),
  issue_comment: ({ action, issue, comment }) => {
    const { pull_request, number, title } = fieldsOf(issue)
    const about = `New comment on ${pull_request ? 'pull request' : 'issue'} #${number}: ${title}`
    return [action === 'created' ? about : '', comment, fieldsOf(comment).body]
  },
  release: ({ action, release }) => [
    action === 'published' ? `New release published: ${fieldsOf(release).name}` : '',
    release,
  ],
  watch: ({ repository }) => ['New star added', repository],
  fork: ({ forkee }) => [`Fork created: ${fieldsOf(forkee).full_name}`, forkee],
  create: ({ ref, ref_type, repository }) => [`New ${ref_type} created: ${ref}`, repository],
}

function pushed({ commits, ref, compare, repository }: Fields): Fields | undefined {
  const made = listOf(commits)
  const lines = made.map(({ id, url, message, author }) => {
    const [first] = String(message).split('\n')
    return `[\`${String(id).slice(0, 7)}\`](${url}) ${first} - ${fieldsOf(author).name}`
  })
  const branch = String(ref).replace('refs/heads/', '')
  return made.length === 0
    ? undefined
    : {
        title: `[${fieldsOf(repository).name}:${branch}] ${made.length} new commit${made.length === 1 ? '' : 's'}`,
        url: (made.length === 1 ? made[0]?.url : compare) ?? null,
        description: lines.join('\n'),
      }
}

/** An event of GitHub's webhooks; one that Discord does not show is taken, and nothing is posted. */
export const githubMessage = ({ path, body, headers, call, respond }: DiscordRequest) => {
  const kind = headers['x-github-event'] ?? ''
  const [title, about, text] = EVENTS[kind]?.(body) ?? []
  const repository = fieldsOf(body.repository).full_name
  const other = { title: `[${repository}] ${title}`, url: fieldsOf(about).html_url ?? null, description: text ?? '' }
  const embed = kind === 'push' ? pushed(body) : title ? other : undefined
  if (embed === undefined) return respond({ status: 204 })
  const { login = '', html_url = null, avatar_url = null } = fieldsOf(body.sender)
  const author = { name: login, url: html_url, icon_url: avatar_url }
  const sent = { username: 'GitHub', embeds: [{ ...embed, author }] }
  const answer = call('POST', `/webhooks/${path.webhook_id}/${path.webhook_token}`, sent)
  return respond(answer.status < 300 ? { status: 204 } : answer)
}
