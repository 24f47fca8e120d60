import { files } from "@frontdesk/dashboard"
import { Frontdesk } from "@frontdesk/embed"
import express from "express"
import { signIn, signOut, userOf } from "./Sessions.ts"

const frontdesk = await Frontdesk.open({ storage: { memory: true }, callProvider: { simulated: { pace: 0 } } })
await frontdesk.provision({
  accounts: [
    {
      ref: "acme",
      name: "Acme",
      agents: [{ ref: "ada", name: "Ada", assistant_id: "asst_ada", phone_number: "+12025550100" }]
    },
    {
      ref: "globex",
      name: "Globex",
      agents: [{ ref: "ben", name: "Ben", assistant_id: "asst_ben", phone_number: "+12025550101" }]
    }
  ]
})
for (const [account, agentId, firstName, phoneNumber] of [
  ["acme", "asst_ada", "Alma", "+12025550111"],
  ["globex", "asst_ben", "Gus", "+12025550122"]
] as const) {
  const { calls, contacts } = frontdesk.as(account)
  await contacts.create({ firstName, phoneNumbers: [{ phoneNumber }] })
  await calls.start({ agentId, phoneNumber })
}

const app = express()

app.get("/", ({ headers: { cookie } }, response) => {
  const user = userOf(cookie)
  response.send(
    user === undefined
      ? `<form method="post" action="/sign-in"><input name="name" aria-label="Name">
          <input name="password" type="password" aria-label="Password"><button>Sign in</button></form>`
      : `<p>${user.name} of ${user.account}: <a href="/voice/desk">Calls and appointments</a></p>
          <form method="post" action="/sign-out"><button>Sign out</button></form>`
  )
})

app.post("/sign-in", express.urlencoded(), ({ body: { name, password } }, response) => {
  const token = signIn(String(name), String(password))
  if (token === null) return void response.status(403).send("Wrong name or password")
  // In production also `secure: true`.
  response.cookie("session", token, { httpOnly: true, sameSite: "lax" }).redirect(303, "/")
})

app.post("/sign-out", ({ headers: { cookie } }, response) => {
  signOut(cookie)
  response.clearCookie("session").redirect(303, "/")
})

app.use(
  "/voice",
  frontdesk.express({
    basePath: "/voice",
    dashboard: {
      path: "/desk",
      files: files(),
      readOnly: true,
      signInUrl: "/",
      resolve: ({ headers }) => {
        const user = userOf(headers.get("cookie"))
        return user && { accountId: user.account, role: user.role, userId: user.id, name: user.name }
      }
    }
  })
)

const server = app.listen(Number(process.env["PORT"] ?? 3000), () => {
  const address = server.address()
  console.log(`http://localhost:${typeof address === "string" ? address : address?.port}`)
})

process.once("SIGTERM", () => {
  server.close()
  void frontdesk.close({ within: "10s" })
})
