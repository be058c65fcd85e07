import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPostgres, startPostgres, type TestPostgres } from '../store/postgres.ts'
import { INNER_ROWS, outcomesOf } from '../support/project-outcomes.ts'
import { startTwoNodes, type TwoNodes } from './two-nodes.ts'

const bin = findPostgres()

/** Sinks on loopback belong to one machine, so webhooks come from the feed, and are not verified there. */
const VERIFY_THE_SENDER = ['any runner can use it']

describe.skipIf(bin === undefined)('against two nodes behind a balancer', () => {
  const work = mkdtempSync(join(tmpdir(), 'backlot-inner-'))
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
  })
  afterAll(async () => {
    await postgres?.close()
    rmSync(work, { recursive: true, force: true })
  })

  it.each(INNER_ROWS)('$name ends test by test as embedded, and leaves nothing', async (row) => {
    await using served = await startTwoNodes(await postgres.createDatabase())

    const embedded = await outcomesOf(row, work, {})
    const hosted = await outcomesOf(row, work, served.env)

    const differ = [...new Set([...embedded.keys(), ...hosted.keys()])].filter(
      (name) => embedded.get(name) !== hosted.get(name),
    )
    expect(hosted.size).toBeGreaterThan(0)
    expect(differ.filter((name) => !VERIFY_THE_SENDER.some((known) => name.endsWith(known)))).toEqual([])
    if (!row.args.includes('failing')) expect(await served.client.listSimulations()).toEqual([])
    if (row.args.includes('suites')) await expectBothToHaveServed(served)
  })
})

async function expectBothToHaveServed({ nodes }: TwoNodes): Promise<void> {
  const kept = await Promise.all(nodes.map(({ metric }) => metric('backlot_appends_total{result="kept"}')))
  const loaded = await Promise.all(nodes.map(({ metric }) => metric('backlot_load_seconds_count')))

  expect(Math.min(...kept)).toBeGreaterThan(0)
  expect(Math.max(...loaded)).toBeGreaterThan(0)
}
