// The API's address and a token come with the page's address: /?api=https://...&token=...
const query = new URLSearchParams(location.search)
const api = query.get('api')
const headers = { Authorization: `Bearer ${query.get('token')}`, 'Content-Type': 'application/json' }

const NEXT = { todo: 'in_progress', in_progress: 'in_review', in_review: 'done' }
const ACTIONS = { todo: 'Start', in_progress: 'Ask for review', in_review: 'Finish' }

const alert = document.querySelector('[role=alert]')
document.querySelector('#refresh').addEventListener('click', () => attempt(show))
attempt(show)

async function show() {
  for (const column of document.querySelectorAll('section')) {
    const page = await call(`/tasks?status=${column.dataset.status}&sort=-updatedAt&limit=8`)
    const heading = document.createElement('h2')
    heading.textContent = `${column.ariaLabel} (${page.total})`
    column.replaceChildren(heading, ...page.data.map(card))
  }
}

function card(task) {
  const element = document.createElement('article')
  const title = document.createElement('h3')
  title.textContent = task.title
  element.append(title)
  element.dataset.id = task.id
  if (NEXT[task.status]) element.append(moveButton(task))
  return element
}

function moveButton(task) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = ACTIONS[task.status]
  button.addEventListener('click', () =>
    attempt(async () => {
      await call(`/tasks/${task.id}`, { method: 'PATCH', body: JSON.stringify({ status: NEXT[task.status] }) })
      await show()
    }),
  )
  return button
}

async function call(path, init) {
  const response = await fetch(api + path, { ...init, headers })
  if (!response.ok) throw new Error(`${response.status} from ${path}`)
  return response.json()
}

async function attempt(action) {
  try {
    await action()
    alert.hidden = true
  } catch (error) {
    alert.textContent = `That did not work: ${error.message}. Please try again.`
    alert.hidden = false
  }
}
