import Anthropic from '@anthropic-ai/sdk'
import { createClerkClient } from '@clerk/backend'
import { REST } from '@discordjs/rest'
import { GoogleGenAI } from '@google/genai'
import { Client as HubSpot } from '@hubspot/api-client'
import { Client as Notion } from '@notionhq/client'
import { Octokit } from '@octokit/rest'
import sendgrid from '@sendgrid/mail'
import { WebClient } from '@slack/web-api'
import { WorkOS } from '@workos-inc/node'
import { IntercomClient } from 'intercom-client'
import { createCloudClient } from 'jira.js'
import OpenAI from 'openai'
import { Configuration, PlaidApi, PlaidEnvironments } from 'plaid'
import { Resend } from 'resend'
import { SquareClient } from 'square'
import Stripe from 'stripe'
import twilio from 'twilio'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

const ACCOUNT = `AC${'0'.repeat(32)}`

/** A call of each entry's SDK, as its documentation has it: with a key and no address. */
const CALLS: Record<string, (key: string) => Promise<unknown>> = {
  anthropic: (key) => new Anthropic({ apiKey: `sk-ant-${key}` }).models.list(),
  clerk: async (key) => (await createClerkClient({ secretKey: `sk_test_${key}` }).users.getUserList()).data,
  discord: (key) => new REST().setToken(key).get('/users/@me'),
  gemini: (key) => new GoogleGenAI({ apiKey: key }).models.list(),
  github: async (key) => (await new Octokit({ auth: key }).users.getAuthenticated()).data,
  hubspot: (key) => new HubSpot({ accessToken: `pat-na1-${key}` }).crm.contacts.basicApi.getPage(),
  intercom: async (key) => (await new IntercomClient({ token: key }).admins.list()).admins,
  jira: (key) => {
    const auth = { type: 'oauth2', accessToken: key, onTokenRefresh: () => {} } as const
    return createCloudClient({ auth }).myself.getCurrentUser()
  },
  notion: (key) => new Notion({ auth: `ntn_${key}` }).users.me({}),
  openai: (key) => new OpenAI({ apiKey: `sk-${key}` }).models.list(),
  plaid: async (key) => {
    const headers = { 'PLAID-CLIENT-ID': 'test', 'PLAID-SECRET': key }
    const basePath = String(PlaidEnvironments.sandbox)
    const plaid = new PlaidApi(new Configuration({ basePath, baseOptions: { headers } }))
    return (await plaid.transferList({})).data.transfers
  },
  resend: async (key) => {
    const { data, error } = await new Resend(`re_${key}`).domains.list()
    if (error) throw new Error(error.message)
    return data
  },
  sendgrid: async (key) => {
    sendgrid.setApiKey(`SG.${key}`)
    const [{ statusCode }] = await sendgrid.send({ to: 'a@x.test', from: 'b@x.test', subject: 'Hi', text: 'Hi' })
    return statusCode
  },
  slack: (key) => new WebClient(`xoxb-${key}`).auth.test(),
  square: async (key) => (await new SquareClient({ token: key }).locations.list()).locations,
  stripe: (key) => new Stripe(`sk_test_${key}`).customers.create({ email: 'a@x.test' }),
  twilio: async (key) => {
    const client = twilio(ACCOUNT, key)
    const service = await client.verify.v2.services.create({ friendlyName: 'Shop' })
    return [service.sid, await client.messages.list({ limit: 1 })]
  },
  workos: async (key) => (await new WorkOS(`sk_test_${key}`).organizations.listOrganizations()).data,
}

it.each(Object.entries(CALLS))('%s answers its SDK, which has no address', async (slug, call) => {
  await using simulation = await createSimulation(slug, { hosts: true })

  const answer = await call(simulation.key)

  expect(answer).toBeTruthy()
  expect((await simulation.requests()).map(({ status }) => status)).not.toContain(401)
})
