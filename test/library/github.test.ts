import { createServer } from 'node:http'
import { Octokit } from '@octokit/rest'
import { verify } from '@octokit/webhooks-methods'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('github')
  const octokit = new Octokit({ auth: simulation.key, baseUrl: simulation.url })
  return { simulation, octokit }
}

/** An endpoint that notes what comes. */
async function openEndpoint() {
  const received: { event: string; hook: string; body: string; signature: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end()
    received.push({
      event: String(request.headers['x-github-event']),
      hook: String(request.headers['x-github-hook-id']),
      body: Buffer.concat(chunks).toString(),
      signature: String(request.headers['x-hub-signature-256']),
    })
  })
  const listening = await onLoopback(server)
  return { ...listening, url: `${listening.url}/hook`, received }
}

it('delivers events of its repository to a hook that the SDK registers, signed with its secret', async () => {
  const { octokit } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using endpoint = await openEndpoint()
  const { url, received } = endpoint
  for (const name of ['one', 'two']) await octokit.rest.repos.createForAuthenticatedUser({ name })
  const one = { owner: 'monalisa', repo: 'one' }

  const config = { url, content_type: 'json', secret: 'hidden' }
  // Ids of several digits: a number of ten is not one of sixteen.
  for (let at = 0; at < 10; at++) {
    await octokit.rest.repos.createWebhook({
      owner: 'monalisa',
      repo: 'two',
      config: { ...config, url: `${url}${at}` },
      active: false,
    })
  }
  const { data: hook } = await octokit.rest.repos.createWebhook({ ...one, config, events: ['issues'] })
  await octokit.rest.issues.create({ owner: 'monalisa', repo: 'two', title: 'Elsewhere' })
  await octokit.rest.issues.createLabel({ ...one, name: 'unasked' })
  await octokit.rest.issues.create({ ...one, title: 'Here' })
  await expect.poll(() => received.map(({ event }) => event)).toEqual(['ping', 'issues'])

  expect(received.map((request) => request.hook)).toEqual([String(hook.id), String(hook.id)])
  for (const { body, signature } of received) expect(await verify('hidden', body, signature)).toBe(true)
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({
    action: 'opened',
    issue: { title: 'Here' },
    repository: { full_name: 'monalisa/one' },
    sender: { login: 'monalisa' },
  })
})

it('delivers events of all repositories of an organization to its hook, and one again that is asked for', async () => {
  const { octokit } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using endpoint = await openEndpoint()
  const { url, received } = endpoint
  const svc = { owner: 'octo-org', repo: 'svc' }
  await octokit.rest.repos.createInOrg({ org: 'octo-org', name: 'svc' })
  await octokit.rest.repos.createForAuthenticatedUser({ name: 'mine' })

  const { data: hook } = await octokit.rest.orgs.createWebhook({
    org: 'octo-org',
    name: 'web',
    config: { url, secret: 'hidden' },
    events: ['issues', 'team'],
  })
  await octokit.rest.issues.create({ owner: 'monalisa', repo: 'mine', title: 'Elsewhere' })
  await octokit.rest.issues.create({ ...svc, title: 'Here' })
  await octokit.rest.teams.create({ org: 'octo-org', name: 'Core' })
  const ofHook = { org: 'octo-org', hook_id: hook.id }
  const { data: deliveries } = await octokit.rest.orgs.listWebhookDeliveries(ofHook)
  await octokit.rest.orgs.redeliverWebhookDelivery({ ...ofHook, delivery_id: deliveries[1]?.id ?? 0 })

  await expect.poll(() => received.map(({ event }) => event)).toEqual(['ping', 'issues', 'team', 'issues'])
  for (const { body, signature } of received) expect(await verify('hidden', body, signature)).toBe(true)
  const [, first, , again] = received.map(({ body }) => JSON.parse(body))
  expect(first).toMatchObject({ issue: { title: 'Here' }, organization: { login: 'octo-org' } })
  expect(again).toEqual(first)
})

it('refuses a hook that no delivery could reach, in the words of the API', async () => {
  const { octokit } = await open()
  await octokit.rest.repos.createForAuthenticatedUser({ name: 'one' })

  const made = octokit.rest.repos.createWebhook({
    owner: 'monalisa',
    repo: 'one',
    config: { url: 'http://127.0.0.1:1/' },
  })

  await expect(made).rejects.toMatchObject({
    status: 422,
    response: { data: { errors: [{ resource: 'Hook', field: 'config.url', code: 'invalid' }] } },
  })
})

it('limits the rate by a rule, as the API tells it', async () => {
  const { simulation, octokit } = await open()
  await simulation.rateLimit(1, 60)

  await octokit.rest.users.getAuthenticated()

  await expect(octokit.rest.users.getAuthenticated()).rejects.toMatchObject({
    status: 403,
    response: {
      headers: { 'x-ratelimit-remaining': '0' },
      data: { message: expect.stringMatching(/^API rate limit exceeded/) },
    },
  })
})

it('sends a pull request with its changes, and lists it without', async () => {
  const { octokit } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using endpoint = await openEndpoint()
  const repository = { owner: 'monalisa', repo: 'sized' }
  const { repos, git, pulls } = octokit.rest
  await repos.createForAuthenticatedUser({ name: 'sized', auto_init: true })
  await repos.createWebhook({ ...repository, config: { url: endpoint.url }, events: ['pull_request'] })
  const { data: main } = await git.getRef({ ...repository, ref: 'heads/main' })
  await git.createRef({ ...repository, ref: 'refs/heads/two', sha: main.object.sha })
  const file = { branch: 'two', path: 'two.txt', message: 'Two', content: Buffer.from('1\n2\n').toString('base64') }
  await repos.createOrUpdateFileContents({ ...repository, ...file })

  await pulls.create({ ...repository, title: 'Two', head: 'two', base: 'main' })

  const size = { commits: 1, additions: 2, deletions: 0, changed_files: 1, mergeable: true }
  await expect
    .poll(() => endpoint.received.map(({ body }) => JSON.parse(body)))
    .toContainEqual(expect.objectContaining({ action: 'opened', pull_request: expect.objectContaining(size) }))
  const [listed] = (await pulls.list(repository)).data
  expect(Object.keys(listed ?? {})).toContain('auto_merge')
  expect(Object.keys(size).filter((name) => name in (listed ?? {}))).toEqual([])
})

it('names the resource and the field of a body that is wrong', async () => {
  const { octokit } = await open()
  await octokit.rest.repos.createForAuthenticatedUser({ name: 'one' })

  const refused = octokit.request('POST /repos/monalisa/one/labels', { name: 5 })

  const errors = [{ resource: 'Label', field: 'name', code: 'invalid' }]
  await expect(refused).rejects.toMatchObject({ status: 422, response: { data: { errors } } })
})

it('finds a commit by the beginning of its id, and says what an unsigned request may ask', async () => {
  const { simulation, octokit } = await open()
  const { repos, git, pulls } = octokit.rest
  const one = { owner: 'monalisa', repo: 'one' }
  await repos.createForAuthenticatedUser({ name: 'one', auto_init: true })
  const { sha } = (await git.getRef({ ...one, ref: 'heads/main' })).data.object
  await git.createRef({ ...one, ref: 'refs/heads/two', sha })
  for (const branch of ['main', 'two'])
    await repos.createOrUpdateFileContents({ ...one, branch, path: 'a', message: branch, content: btoa(branch) })
  const { number } = (await pulls.create({ ...one, title: 'Two', head: 'two', base: 'main' })).data

  const found = await repos.getCommit({ ...one, ref: sha.slice(0, 7) })
  const clash: unknown = await pulls.updateBranch({ ...one, pull_number: number }).catch((error: unknown) => error)
  const unsigned = await new Octokit({ baseUrl: simulation.url }).rest.rateLimit.get()

  expect(found.data.sha).toBe(sha)
  expect(clash).toMatchObject({
    status: 422,
    response: { data: { message: 'merge conflict between base and head' } },
  })
  expect(unsigned.data.resources.core.limit).toBe(60)
  expect(unsigned.headers['x-ratelimit-limit']).toBe('60')
})
