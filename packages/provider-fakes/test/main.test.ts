import { spawn } from "node:child_process"
import process from "node:process"
import { expect, it } from "vitest"
import * as Service from "@frontdesk/provider-fakes/Service"

const main = new URL("../src/main.ts", import.meta.url).pathname

/** What a stand-in prints until it ends, or until it has told its settings. */
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

it.each([
  ["twilio", "FRONTDESK_TWILIO_ACCOUNT_SID"],
  ["vapi", "FRONTDESK_VAPI_WEBHOOK_SECRET"]
])("the stand-in for %s prints all the settings with which a server uses it", async (name, variable) => {
  const { stdout } = await start(name, "--port", "0", "--public-url", "http://127.0.0.1:9999")
  expect(stdout).toContain("export FRONTDESK_PUBLIC_URL=http://127.0.0.1:9999\n")
  expect(stdout).toContain(`export FRONTDESK_CALL_PROVIDER=${name}\n`)
  expect(stdout).toMatch(new RegExp(`^export ${variable}=\\w{16,}$`, "m"))
})

it("tells how it is used, on standard output when it is asked", async () => {
  expect(await start("twilio", "--help")).toMatchObject({ code: 0, stderr: "" })
  for (const args of [
    ["plivo"],
    ["twilio", "--nothing"],
    ["vapi", "--pace", "0"],
    ["vapi", "--port", "x"],
    ["vapi", "--public-url", "http://127.0.0.1:8791x"]
  ]) {
    const { code, stderr, stdout } = await start(...args)
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" })
    expect(stderr).toContain("--public-url")
  }
})

it("ends with 1 when its port is in use, and says so", async () => {
  await using taken = await Service.open(0, async () => "hang")
  const { code, stderr } = await start("twilio", "--port", String(taken.port))
  expect({ code, stderr }).toEqual({ code: 1, stderr: `Port ${taken.port} is in use. Choose another with --port\n` })
})
