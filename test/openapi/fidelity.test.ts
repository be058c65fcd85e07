import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { measureDescription } from '../../bench/fidelity/measure-description.ts'
import { toSummary } from '../../bench/fidelity/report.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { DESCRIPTIONS, hasDescriptions, installedDescription } from '../descriptions.ts'

const INSTALLED = [
  '2.0/json/petstore.json',
  '3.0/json/star-trek.json',
  '3.1/json/readme.json',
  '3.1/json/train-travel.json',
]
/** One of each sort: 2.0, 3.0, 3.1 and 3.2, JSON and YAML, wrapped, JSON:API, lists of ids, nested, unions. */
const FURTHER = [
  'petstore2.json',
  'petstore3.yaml',
  'svix.json',
  'resend.yaml',
  'up-banking.json',
  'xero-projects.yaml',
  'sendgrid-suppressions.json',
  'twilio-verify.json',
  'realworld-conduit.yaml',
  'redocly-cafe-32.yaml',
]

let service: Service

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

it('holds its floors on a sample of the real descriptions', async () => {
  const paths = [
    ...INSTALLED.map(installedDescription),
    ...(hasDescriptions ? FURTHER.map((file) => join(DESCRIPTIONS, file)) : []),
  ]
  const reports = []
  for (const path of paths) reports.push(await measureDescription(path, readFileSync(path, 'utf8'), service))

  const total = toSummary(reports, [])
  expect(total.stateful).toBeGreaterThanOrEqual(0.88)
  expect(total.generatedValid).toBeGreaterThanOrEqual(0.995)
  expect(total.projectedValid).toBeGreaterThanOrEqual(0.995)
  expect(total.roundTrips.total - total.roundTrips.passed).toBeLessThanOrEqual(1)
  expect(total.verbAgreement).toBeGreaterThanOrEqual(0.95)
})
