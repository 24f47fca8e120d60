import { frontdesk } from "../frontdesk"

export const dynamic = "force-dynamic"

export default async function Contacts() {
  const opened = await frontdesk.get()
  await opened.provision({ accounts: [{ ref: "acme", name: "Acme" }] })
  const { count, items } = await opened.as("acme").contacts.list()
  return (
    <main>
      <h1>{count} contacts</h1>
      <ul>
        {items.map(({ firstName, id }) => (
          <li key={id}>{firstName}</li>
        ))}
      </ul>
    </main>
  )
}
