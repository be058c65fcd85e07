import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { type Served, serve } from '../support/serve.ts'

const HOUR = 3_600

describe('backlot, the command', () => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(async () => {
    await served[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    for (const { id } of await served.client.listSimulations()) await served.client.deleteSimulation(id)
  })

  const now = Math.floor(Date.now() / 1_000)
  const leave = (run: string, expires: number) =>
    served.client.createSimulation({
      library: 'task-tracker',
      name: `task-tracker · ${run}.test.ts [backlot run=${run} w=1-abc exp=${expires}]`,
    })

  it('shows control characters of a name as escapes', async () => {
    await served.client.createSimulation({ library: 'task-tracker', name: 'a\u001b[31m\u202eb\r\nc\u009b2J' })

    const run = await runCli(['list'], served.env)

    expect(run.stdout).toContain('a\\u001b[31m\\u202eb\\u000d\\nc\\u009b2J')
  })

  it('triggers an event, and says which one is not there', async () => {
    const { slug, id } = await served.client.createSimulation({ library: 'payments' })

    const paid = await runCli(['trigger', slug, 'invoice.paid', '--set', 'currency=EUR', '--json'], served.env)
    const unknown = await runCli(['trigger', slug, 'invoice.piad'], served.env)

    expect(JSON.parse(paid.stdout)).toMatchObject({
      type: 'invoice.updated',
      data: { object: { status: 'paid', currency: 'EUR' } },
    })
    expect((await served.client.readEvents(id))[0]).toEqual(JSON.parse(paid.stdout))
    expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('Did you mean "invoice.paid"?')])
  })

  it('cleans up what every run left behind, and nothing else', async () => {
    const left = await leave('old-run', now + HOUR)
    const own = await served.client.createSimulation({ library: 'crm', name: 'staging' })

    const run = await runCli(['cleanup'], served.env)

    expect(run.stderr).toBe('')
    expect(run.stdout.split('\n')).toEqual([
      expect.stringMatching(/^SIMULATION +RUN +OUTCOME +NAME$/),
      expect.stringMatching(new RegExp(`^${left.slug} +old-run +deleted +task-tracker · old-run\\.test\\.ts$`)),
      '1 simulation deleted. 1 other not made by test runs: left alone.',
      '',
    ])
    expect(run.exitCode).toBe(0)
    expect((await served.client.listSimulations()).map(({ id }) => id)).toEqual([own.id])
  })

  it('cleans up one run only, by name or by the CI system that it runs in', async () => {
    await leave('gh-7-1', now + HOUR)
    const other = await leave('gh-8-1', now + HOUR)

    const inCi = await runCli(['cleanup'], { ...served.env, GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '1' })
    const again = await runCli(['cleanup', '--run', 'gh-7-1', '--json'], served.env)

    expect(inCi.stdout).toContain('1 simulation of run gh-7-1 deleted.')
    expect(JSON.parse(again.stdout)).toEqual({ simulations: [], deleted: 0, failed: 0, foreign: 0 })
    expect((await served.client.listSimulations()).map(({ id }) => id)).toEqual([other.id])
  })

  it('shows what it would delete, exits with 3, and deletes nothing', async () => {
    await leave('a', now + HOUR)

    const run = await runCli(['cleanup', '--dry-run'], served.env)

    expect(run.exitCode).toBe(3)
    expect(run.stdout).toMatch(/ a +found +task-tracker/)
    expect(run.stdout).toContain('1 simulation would be deleted. Nothing was: run it without --dry-run to delete.')
    expect(await served.client.listSimulations()).toHaveLength(1)
    expect((await runCli(['cleanup', '--all'], served.env)).exitCode).toBe(0)
    expect((await runCli(['cleanup', '--dry-run'], served.env)).exitCode).toBe(0)
  })

  it('deletes only what is past its time', async () => {
    await leave('expired', now - HOUR)
    const fresh = await leave('fresh', now + HOUR)

    await runCli(['cleanup', '--expired'], served.env)
    await runCli(['cleanup', '--older-than', '1'], served.env)

    expect((await served.client.listSimulations()).map(({ id }) => id)).toEqual([fresh.id])
  })

  it('says in one line, with the next step, that it does not know where the service is', async () => {
    // No folder for notes of running services.
    const run = await runCli(['cleanup'], { XDG_CACHE_HOME: import.meta.filename })
    const half = await runCli(['list'], { BACKLOT_URL: 'http://127.0.0.1:9' })

    expect(run.exitCode).toBe(1)
    expect(run.stderr.trim().split('\n')).toHaveLength(1)
    expect(run.stderr).toContain('Set BACKLOT_URL and BACKLOT_ACCOUNT_KEY')
    expect(half.stderr).toContain('Set BACKLOT_ACCOUNT_KEY or pass --account-key.')
  })

  it('names the variable to check when the key is refused', async () => {
    const run = await runCli(['list'], { ...served.env, BACKLOT_ACCOUNT_KEY: 'svc_acc_wrong' })

    expect(run.exitCode).toBe(1)
    expect(run.stderr).toContain('Check BACKLOT_ACCOUNT_KEY (or --account-key).')
  })

  it('lists simulations with the run that made them', async () => {
    const left = await leave('a-run', now + HOUR)

    const run = await runCli(['list'], served.env)
    const json = JSON.parse((await runCli(['list', '--json'], served.env)).stdout)

    expect(run.stdout).toMatch(
      new RegExp(`${left.slug} +running +a-run +http://\\S+ +task-tracker · a-run\\.test\\.ts`),
    )
    expect(run.stdout).not.toContain('\u001b')
    expect(json.data[0]).toMatchObject({ id: left.id, run: 'a-run' })
  })

  it('lists the built-in library without a service, and that of a service where one is set', async () => {
    const embedded = await runCli(['library'])
    const found = JSON.parse((await runCli(['library', 'task', '--json'])).stdout)
    const missing = await runCli(['library', 'strpe'])
    const hosted = await runCli(['library'], served.env)

    expect(embedded.stdout).toMatch(/^ENTRY +VERTICAL +OPERATIONS +SDK +DESCRIPTION$/m)
    expect(embedded.stdout).toMatch(/^stripe +payments +\d+ +stripe >=\d+ <\d+ +Customers/m)
    expect(embedded.stdout).toContain('task-tracker')
    expect(embedded.stdout).toMatch(/^apple +identity +sign-in /m)
    expect(missing.stdout).toMatch(/^No entry has the text "strpe"\. Did you mean "stripe"\?/)
    expect(found.data.map(({ slug }: { slug: string }) => slug)).toContain('task-tracker')
    expect(hosted.stdout).toBe(embedded.stdout)
  })

  it('names the flag of a host that this machine does not have', async () => {
    const run = await runCli(['serve', '--host', '300.1.1.1'])

    expect(run.exitCode).toBe(1)
    expect(run.stderr).toBe(
      'Failed to start the service: 300.1.1.1 is no address of this machine. Choose another with --host.\n',
    )
  })

  it('exits with 2 on wrong usage', async () => {
    const unknown = await runCli(['clean'])
    const badHours = await runCli(['cleanup', '--older-than', 'soon'], served.env)

    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain("unknown command 'clean'")
    expect(unknown.stderr).toContain('Run `npx backlot --help`')
    expect(badHours.exitCode).toBe(2)
    expect(badHours.stderr).toContain('Expected a number of hours above 0.')
  })
})
