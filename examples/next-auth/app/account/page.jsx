import { redirect } from 'next/navigation'
import { auth } from '../../auth.js'

export default async function Account() {
  const session = await auth()
  if (session === null) redirect('/auth/signin?callbackUrl=/account')
  return (
    <main>
      <h1>Books of {session.user.name}</h1>
      <p>{session.user.email}</p>
      <a href="/auth/signout">Sign out</a>
    </main>
  )
}
