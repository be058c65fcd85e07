import { Hono } from 'hono'
import { html } from 'hono/html'
import type OpenAI from 'openai'
import { answer } from './answer.ts'

/** A chat about orders, and about what is in the files of a vector store. */
export function createApp(openai: OpenAI, store: string): Hono {
  const app = new Hono()

  app.get('/', async (context) => {
    const { id } = await openai.conversations.create()
    return context.html(html`<!doctype html>
      <title>Ask the shop</title>
      <main role="log"></main>
      <form>
        <input type="hidden" name="conversation" value="${id}" />
        <label>Question <input name="text" required /></label>
        <button>Ask</button>
      </form>
      <script type="module">
        const form = document.querySelector('form')
        form.addEventListener('submit', async (event) => {
          event.preventDefault()
          const answer = document.querySelector('main').appendChild(document.createElement('p'))
          const body = new FormData(form)
          try {
            const { body: pieces } = await fetch('/ask', { method: 'POST', body })
            for await (const piece of pieces.pipeThrough(new TextDecoderStream())) answer.append(piece)
          } catch {
            answer.append(' … The answer broke off. Please ask again.')
          }
        })
      </script>`)
  })

  app.post('/ask', async (context) => {
    const { conversation, text } = await context.req.parseBody()
    const question = { conversation: String(conversation), text: String(text) }
    // The signal ends the request to OpenAI when the page leaves; an error breaks the connection, so that the page sees it.
    const pieces = answer(openai, store, question, context.req.raw.signal)
    return context.body(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()))
  })

  return app
}
