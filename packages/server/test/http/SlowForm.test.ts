import { expect, it } from "vitest"
import { serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { clientOf } from "../start-and-stop/rawClient.ts"

it("a form with an address that does not arrive in time gets 408 (D-MEM-9)", async () => {
  const server = await serve(temporaryFolder(), {
    settings: {
      FRONTDESK_PUBLIC_URL: "http://desk.example.com",
      FRONTDESK_MAIL_URL: "smtp://127.0.0.1:1",
      FRONTDESK_MAIL_FROM: "desk@example.com",
      FRONTDESK_MAIL_ALLOW_INSECURE: "true"
    }
  })
  const client = await clientOf(server.url)
  await client.send(
    "POST /dashboard/sign-in HTTP/1.1\r\nHost: desk.example.com\r\nOrigin: http://desk.example.com\r\n" +
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 23\r\n\r\nemail="
  )
  await expect.poll(() => client.statuses()).toEqual([408])
  expect(client.text()).toContain("<h1>Too slow</h1>")
})
