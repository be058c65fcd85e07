import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { firstLine, startCli } from '../conformance/served-target.ts'
import { connectRaw } from '../listener/raw-client.ts'
import { runCli } from '../support/run-cli.ts'

function serve(...args: string[]): ChildProcess {
  const child = startCli(['serve', ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const exitOf = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve))

async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-serve-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('prints one line of JSON when it is ready', async () => {
  const child = serve('--json', '--port', '0')

  const ready = JSON.parse(await firstLine(child)) as { url: string; accountKey: string }
  const usage = await fetch(`${ready.url}/v1/usage`, { headers: { authorization: `Bearer ${ready.accountKey}` } })

  expect(Object.keys(ready)).toEqual(['url', 'accountKey'])
  expect(usage.status).toBe(200)
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s, open connections or not', async (signal) => {
  const child = serve('--json', '--port', '0', 'task-tracker')
  const { url } = JSON.parse(await firstLine(child)) as { url: string }
  const hanging = await connectRaw(Number(new URL(url).port))
  hanging.write('GET /v1/usage HTTP/1.1\r\n')

  child.kill(signal)

  expect(await exitOf(child)).toBe(0)
  await hanging.ended
})

it('adopts an account key, a slug and a simulation key', async () => {
  const child = serve(
    ...['--json', '--port', '0', '--account-key', 'svc_acc_of_my_own', 'task-tracker'],
    ...['--slug', 'tasks', '--key', 'svc_sim_0123456789'],
  )
  const { url, accountKey } = JSON.parse(await firstLine(child)) as { url: string; accountKey: string }

  const answer = await fetch(`${url}/s/tasks/v1/tasks`, { headers: { authorization: 'Bearer svc_sim_0123456789' } })

  expect(accountKey).toBe('svc_acc_of_my_own')
  expect(answer.status).toBe(200)
})

it('says to people where it is, how suites find it, and that its data is in memory', async () => {
  const child = serve('--port', '0', 'crm')
  let text = ''
  child.stdout?.on('data', (part) => {
    text += part
  })

  await expect.poll(() => text).toContain('memory')

  expect(text).toMatch(/export BACKLOT_URL=http:\/\/127\.0\.0\.1:\d+\n/)
  expect(text).toMatch(/export BACKLOT_ACCOUNT_KEY=svc_acc_[0-9a-f]+\n/)
  expect(text).toMatch(/crm {2}http:\/\/127\.0\.0\.1:\d+\/s\/crm\n\s+key svc_sim_/)
  expect(text).not.toContain('\u001b')
})

it('writes its authority to a file', async () => {
  const file = join(await folderForTest(), 'ca.pem')
  const child = serve('--json', '--port', '0', '--https', '--ca-file', file)

  const { url, ca } = JSON.parse(await firstLine(child)) as { url: string; ca: string }

  expect(url).toMatch(/^https:/)
  expect(await readFile(file, 'utf8')).toBe(ca)
})

it.each([
  ['backlot.config.yaml', 'accounts:\n  - keys: [{ key: svc_acc_from_a_file }]\n'],
  ['backlot.config.json', '{"accounts":[{"keys":[{"key":"svc_acc_from_a_file"}]}]}'],
  ['backlot.config.ts', "export default { accounts: [{ keys: [{ key: 'svc_acc_from_a_file' as string }] }] }\n"],
])('reads accounts from %s', async (name, text) => {
  const file = join(await folderForTest(), name)
  await writeFile(file, text)

  const child = serve('--json', '--port', '0', '--config', file)

  expect(JSON.parse(await firstLine(child))).toMatchObject({ accountKey: 'svc_acc_from_a_file' })
})

it('refuses an account key together with accounts of a file', async () => {
  const file = join(await folderForTest(), 'backlot.config.json')
  await writeFile(file, '{"accounts":[{"keys":[{"key":"svc_acc_from_a_file"}]}]}')

  const run = await runCli(['serve', '--config', file, '--account-key', 'svc_acc_other'])

  expect(run.exitCode).toBe(2)
  expect(run.stderr).toContain(
    `error: --account-key and the accounts of ${file} exclude each other. Put the key among those accounts.`,
  )
})

it('refuses a misspelt key of a configuration file, which would leave the service open', async () => {
  const file = join(await folderForTest(), 'backlot.config.json')
  await writeFile(file, '{"acounts":[]}')

  const run = await runCli(['serve', '--config', file])

  expect(run.exitCode).toBe(1)
  expect(run.stderr.trim()).toBe(
    `Failed to read the configuration "${file}": it has no key "acounts". Did you mean "accounts"?`,
  )
})

it('says on one line what is wrong and exits with 1', async () => {
  const first = serve('--json', '--port', '0')
  const { port } = new URL((JSON.parse(await firstLine(first)) as { url: string }).url)
  const run = async (...args: string[]) => {
    const { exitCode, stderr } = await runCli(['serve', ...args])
    return [exitCode, stderr.trim()]
  }

  const runs = await Promise.all([
    run('--port', port),
    run('--port', '0', 'nothing'),
    run('--config', 'missing.json'),
    run('--port', '0', '--https', '--ca-file', 'missing/ca.pem'),
    run('--port', 'many'),
    run('--slug', 'tasks'),
  ])

  expect(runs).toEqual([
    [1, `Failed to start the service: port ${port} is taken. Choose another with --port, or --port 0 for any.`],
    [1, expect.stringMatching(/^Failed to read "nothing": there is no such file and no library entry of that slug\./)],
    [1, expect.stringMatching(/"missing\.json"/)],
    [1, expect.stringMatching(/^Failed to write the authority to --ca-file: ENOENT.*'missing\/ca\.pem'\.$/)],
    [2, expect.any(String)],
    [2, expect.any(String)],
  ])
})

it('serves a description from a file and an entry at once, with a line to try each', async () => {
  const file = join(await folderForTest(), 'pets.yaml')
  await writeFile(file, PETS)
  const child = serve(file, 'crm', '--port', '0')
  let text = ''
  child.stdout?.on('data', (part) => {
    text += part
  })

  await expect.poll(() => text).toContain('memory')
  const tries = [...text.matchAll(/curl -H 'Authorization: (Bearer \S+)' '(\S+)'/g)]
  const answers = await Promise.all(
    tries.map(async ([, authorization = '', url = '']) => fetch(url, { headers: { authorization } })),
  )

  expect(tries.map(([, , url]) => new URL(url ?? '').pathname)).toEqual([
    '/s/pet-shop/v3/pets',
    expect.stringMatching(/^\/s\/crm\/api\/v3\/\w+$/),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

it('gives slug and key to the only source, and prints them in JSON', async () => {
  const file = join(await folderForTest(), 'pets.yaml')
  await writeFile(file, PETS)
  const child = serve(file, '--slug', 'shop', '--key', 'svc_sim_0123456789', '--port', '0', '--json')

  const { simulations } = JSON.parse(await firstLine(child))

  expect(simulations).toMatchObject([
    {
      slug: 'shop',
      apiKey: 'svc_sim_0123456789',
      url: expect.stringMatching(/\/s\/shop$/),
      curl: expect.stringMatching(/\/s\/shop\/v3\/pets'$/),
    },
  ])
})

const PETS = `openapi: 3.1.0
info: { title: Pet shop, version: '1' }
servers: [{ url: https://api.pets.example/v3 }]
paths:
  /pets:
    get:
      responses:
        '200':
          description: all
          content:
            application/json:
              schema: { type: array, items: { type: object, required: [id], properties: { id: { type: string } } } }
`

it('takes a list of private ranges and a source after it', async () => {
  const file = join(await folderForTest(), 'pets.yaml')
  await writeFile(file, PETS)
  const child = serve('--json', '--port', '0', '--allow-private-webhooks', '127.0.0.1/32,172.16.0.0/12', file)
  const { url, accountKey, simulations } = JSON.parse(await firstLine(child))
  const register = async (target: string) =>
    (
      await fetch(`${url}/v1/simulations/pet-shop/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accountKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: target, events: ['*'] }),
      })
    ).status

  expect(simulations).toMatchObject([{ slug: 'pet-shop' }])
  expect(await Promise.all(['http://127.0.0.1:9/', 'http://172.17.0.2/', 'http://10.0.0.1/'].map(register))).toEqual([
    201, 201, 400,
  ])
})

it('answers /healthz without a key', async () => {
  const child = serve('--json', '--port', '0')
  const { url } = JSON.parse(await firstLine(child))

  const answers = await Promise.all([fetch(`${url}/healthz`), fetch(`${url}/healthz`, { method: 'HEAD' })])

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await answers[0]?.json()).toEqual({ status: 'ok' })
  expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404)
})

it.each([
  [['./none.yaml'], 'Failed to read "./none.yaml": there is no such file'],
  [['crm', 'payments', '--slug', 'one'], '--slug and --key belong to one simulation'],
  [['--allow-private-webhooks', 'localhost'], 'Expected `allowPrivateWebhooks[0]` to be an IP address or a CIDR range'],
])('refuses %s', async (args, message) => {
  const run = await runCli(['serve', '--port', '0', ...args])

  expect(run.stderr).toContain(message)
  expect(run.exitCode).not.toBe(0)
})
