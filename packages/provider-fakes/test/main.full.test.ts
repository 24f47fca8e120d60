import { spawn } from "node:child_process"
import process from "node:process"
import { expect, it } from "vitest"
import * as Service from "@frontdesk/provider-fakes/Service"

const main = new URL("../src/main.ts", import.meta.url).pathname

/**
 * Starts a fake, and returns what it prints. Ends the fake when it has printed its settings. Its exit code is then null.
 */
const start = async (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [main, ...args])
  const printed = { stdout: "", stderr: "" }
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (printed.stderr += chunk))
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve)
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed.stdout += chunk
      if (/^export .*\n$/m.test(printed.stdout)) child.kill()
    })
  })
  return { code, ...printed }
}

it.concurrent.each([
  ["twilio", "FRONTDESK_TWILIO_ACCOUNT_SID"],
  ["vapi", "FRONTDESK_VAPI_WEBHOOK_SECRET"],
  ["retell", "FRONTDESK_RETELL_API_KEY"]
])("the fake of %s prints all settings that a server needs to use it", async (name, variable) => {
  const { stdout } = await start(name, "--port", "0", "--public-url", "http://127.0.0.1:9999")
  expect(stdout).toContain("export FRONTDESK_PUBLIC_URL=http://127.0.0.1:9999\n")
  expect(stdout).toContain(`export FRONTDESK_CALL_PROVIDER=${name}\n`)
  expect(stdout).toMatch(new RegExp(`^export ${variable}=\\w{16,}$`, "m"))
})

it("--help prints the usage to standard output", async () => {
  const { code, stderr, stdout } = await start("twilio", "--help")
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toContain("--public-url")
})

it.concurrent.each([
  [["plivo"]],
  [["twilio", "--nothing"]],
  [["vapi", "--pace", "0"]],
  [["vapi", "--port", "x"]],
  [["vapi", "--public-url", "http://127.0.0.1:8791x"]]
])("the invalid arguments %j end the fake with the code 2, and print the usage to standard error", async (args) => {
  const { code, stderr, stdout } = await start(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain("--public-url")
})

it("a port that is in use ends the fake with the code 1 and a message", async () => {
  await using other = await Service.open(0, async () => "hang")
  const { code, stderr } = await start("twilio", "--port", String(other.port))
  expect({ code, stderr }).toEqual({ code: 1, stderr: `Port ${other.port} is in use. Choose another with --port\n` })
})
