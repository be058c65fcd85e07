export default function Home() {
  return (
    <main>
      <h1>The reading list</h1>
      <a href="/account">My books</a>
    </main>
  )
}
