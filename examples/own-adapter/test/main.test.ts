import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Receiver } from "@frontdesk/testing"
import { expect, it } from "vitest"

const run = promisify(execFile)
const main = new URL("../src/main.ts", import.meta.url).pathname

const settings = (url: string) => ({
  ...process.env,
  MAIL_SERVICE_URL: url,
  MAIL_SERVICE_KEY: "a-secret-key",
  MAIL_FROM: "desk@example.com"
})

it("the program books a calendar event and mails the customer through the adapter", async () => {
  await using service = await Receiver.open()
  const { stdout } = await run(process.execPath, [main, "jo@example.com"], { env: settings(service.url) })
  expect(stdout).toBe("the mail service accepts the key\ntasks done: 1\n")
  const mail = service.requests.find(({ path }) => path === "/messages")
  expect(JSON.parse(String(mail?.body))).toEqual({
    from: "desk@example.com",
    to: "jo@example.com",
    subject: "The clinic: Check-up (created)",
    text: "Check-up\n2030-05-06T09:00:00+00:00\n\n"
  })
})

it("the program fails and names the setting when one is missing", async () => {
  const { MAIL_SERVICE_KEY: _, ...rest } = settings("http://127.0.0.1:1")
  await expect(run(process.execPath, [main], { env: rest })).rejects.toThrow(/MAIL_SERVICE_KEY/)
})
