import { useSimulation } from 'backlot/vitest'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Club, openClub } from './open-club.ts'

const api = useSimulation('stripe', { isolation: 'test' })

const ADA = 'ada@example.com'
let club: Club
beforeEach(async () => {
  club = await openClub(api)
})
afterEach(() => club[Symbol.asyncDispose]())

/** Sends the form of the page; gives the checkout session that it leads to. */
async function askToJoin(email = ADA): Promise<string> {
  const answer = await fetch(`${club.url}/join`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  })
  expect(answer.headers.get('location')).toContain('/c/pay/cs_')
  return String(answer.headers.get('location')?.split('/').at(-1))
}

const join = async () => club.pay(await askToJoin())

async function subscription() {
  const [newest] = (await club.stripe.subscriptions.list({ status: 'all' })).data
  if (newest === undefined) throw new Error('There is no subscription.')
  return newest
}

it('makes a member of who pays', async () => {
  const session = await askToJoin()
  expect(await club.statusOf(ADA)).toBe('none')

  await club.pay(session)

  expect(await club.statusOf(ADA)).toBe('active')
})

it('makes no member of who is refused', async () => {
  const session = await askToJoin()

  await expect(club.pay(session, 'pm_card_chargeDeclined')).rejects.toMatchObject({ code: 'card_declined' })

  expect(await club.statusOf(ADA)).toBe('none')
})

it('takes the money each month', async () => {
  await join()

  await api.fastForward({ days: 65 })

  const invoices = await club.stripe.invoices.list({ status: 'paid' })
  expect(invoices.data.map(({ amount_paid }) => amount_paid)).toEqual([2_000, 2_000, 2_000])
  expect(await club.statusOf(ADA)).toBe('active')
})

it('ends with the card, after some weeks of trying', async () => {
  await join()
  const { id, customer } = await subscription()
  const broken = await club.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: String(customer) })
  await club.stripe.subscriptions.update(id, { default_payment_method: broken.id })

  await api.fastForward({ days: 32 })
  expect(await club.statusOf(ADA)).toBe('past_due')
  await api.fastForward({ days: 16 })

  expect(await club.statusOf(ADA)).toBe('canceled')
})

it('lasts to the end of the month that is paid', async () => {
  await join()
  expect(await club.statusOf(ADA)).toBe('active')

  await fetch(`${club.url}/members/${ADA}/leave`, { method: 'POST' })
  expect(await club.statusOf(ADA)).toBe('active')
  await api.fastForward({ days: 32 })

  expect(await club.statusOf(ADA)).toBe('canceled')
})

it.each(['tampered', 'stale'] as const)('believes no webhook that is %s', async (as) => {
  await join()
  const webhook = await api.expectWebhook('customer.subscription.created')

  const answer = await api.webhooks.replay(webhook, { to: `${club.url}/hooks/stripe`, as })

  expect(answer.status).toBe(400)
})

it('says so when Stripe does not answer', async () => {
  await api.addError('/v1/checkout/*', 500)

  const answer = await fetch(`${club.url}/join`, { method: 'POST', body: new URLSearchParams({ email: ADA }) })

  expect([answer.status, await answer.text()]).toEqual([502, 'Payments do not work right now.'])
})
