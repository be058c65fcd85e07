import { useSimulation } from 'backlot/vitest'
import { expect, it } from 'vitest'
import { openShop } from './open-shop.ts'

const ai = useSimulation('openai', { isolation: 'test', replies: 'strict' })

/** A chat as a page has one. */
async function openChat() {
  const shop = await openShop(ai)
  const { id } = await shop.openai.conversations.create()
  const ask = async (text: string) => {
    const body = new URLSearchParams({ conversation: id, text })
    return (await fetch(`${shop.url}/ask`, { method: 'POST', body })).text()
  }
  return { ask, [Symbol.asyncDispose]: shop[Symbol.asyncDispose] }
}

it('answers from the files, and names them', async () => {
  await using chat = await openChat()
  await ai.reply({ when: { text: /return a parcel/ }, text: 'It is free.' })

  expect(await chat.ask('How do I return a parcel?')).toBe('It is free. [returns.txt]')
})

it('looks at an order before it answers, and remembers the conversation', async () => {
  await using chat = await openChat()
  await ai.reply({ when: { text: /order 17/ }, toolCalls: [{ name: 'order_status', arguments: { order: '17' } }] })
  await ai.reply({ when: { toolResult: 'shipped on Monday' }, text: 'It is on its way.' })
  await ai.reply({ when: { text: 'Thank you', turn: 3 }, text: 'Good day.' })

  expect(await chat.ask('Where is order 17?')).toBe('It is on its way.')
  expect(await chat.ask('Thank you')).toBe('Good day.')
})

it.each([{ cutAfter: 2 }, { endAfter: 2 }, { errorAfter: 2 }])('breaks off where OpenAI does: %o', async (stream) => {
  await using chat = await openChat()
  await ai.reply({ text: 'one two three', stream })

  await expect(chat.ask('Count.')).rejects.toThrow()
})

it('answers after an outage of a moment', async () => {
  await using chat = await openChat()
  await ai.reply({ text: 'Hello.' })
  await ai.failNext(1, { status: 503 })

  expect(await chat.ask('Hello?')).toBe('Hello.')
})
