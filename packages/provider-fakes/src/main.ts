import { randomBytes } from "node:crypto"
import process from "node:process"
import { parseArgs } from "node:util"
import * as FakeRetell from "./retell/FakeRetell.ts"
import * as FakeTwilio from "./twilio/FakeTwilio.ts"
import * as FakeVapi from "./vapi/FakeVapi.ts"

const fakes = {
  twilio: {
    port: "8791",
    open: FakeTwilio.open,
    settings: (url: string) => ({
      FRONTDESK_CALL_PROVIDER: "twilio",
      FRONTDESK_TWILIO_BASE_URL: url,
      FRONTDESK_TWILIO_ACCOUNT_SID: FakeTwilio.defaults.accountSid,
      FRONTDESK_TWILIO_AUTH_TOKEN: FakeTwilio.defaults.authToken,
      FRONTDESK_TWILIO_VOICE_URL: "https://example.com/voice",
      FRONTDESK_TWILIO_RECORD: "true"
    })
  },
  vapi: {
    port: "8792",
    open: FakeVapi.open,
    settings: (url: string) => ({
      FRONTDESK_CALL_PROVIDER: "vapi",
      FRONTDESK_VAPI_BASE_URL: url,
      FRONTDESK_VAPI_API_KEY: FakeVapi.defaults.apiKey,
      FRONTDESK_VAPI_PHONE_NUMBER_ID: FakeVapi.defaults.phoneNumberIds.join(),
      FRONTDESK_VAPI_WEBHOOK_SECRET: randomBytes(32).toString("hex")
    })
  },
  retell: {
    port: "8793",
    open: FakeRetell.open,
    settings: (url: string) => ({
      FRONTDESK_CALL_PROVIDER: "retell",
      FRONTDESK_RETELL_BASE_URL: url,
      FRONTDESK_RETELL_API_KEY: FakeRetell.defaults.apiKey
    })
  }
}

const usage = `Usage: pnpm fake-twilio|fake-vapi|fake-retell [--port PORT] [--pace PACE] [--public-url URL]

  --port        the port to listen on (default: ${fakes.twilio.port} for twilio, ${fakes.vapi.port} for vapi,
                ${fakes.retell.port} for retell)
  --pace        the number of seconds of a call that pass in each second (default: 1)
  --public-url  the URL of the Frontdesk server that will use the fake (default: http://127.0.0.1:8787)

It prints the settings that the server needs, and runs until you stop it. Meanwhile you control it with requests:

  POST /_sim/scripts        {"number": "+12025550111", "script": {"talkSeconds": 300}}
                            describes later calls to the number, and later calls from it
  POST /_sim/advance        {"millis": 1000} advances the time
  POST /_sim/unknown-call   {"url": "http://..."} sends a callback about a call that was never started
  GET  /_sim/callbacks      shows the callbacks that were sent, with the status of their answers

The fake of vapi has these in addition:

  POST /_sim/phone-numbers  {"number": "+12025550100", "server": {"url": "http://...", "secret": "..."}}
                            sets a phone number with its server, or with an assistant: "assistantId": "..."
  POST /_sim/inbound        {"from": "+12025550111", "to": "+12025550100"} lets a person dial the number
  POST /_sim/tool-calls     {"callId": "...", "calls": [{"name": "get_context", "arguments": {}}], "shape": "text"}
                            lets the assistant of a call use tools; shape is text, object, flat or nested
`

const read = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", default: false },
        port: { type: "string" },
        pace: { type: "string", default: "1" },
        "public-url": { type: "string", default: "http://127.0.0.1:8787" }
      }
    })
  } catch {
    return undefined
  }
}

const end = (code: number, text: string): void => {
  process.exitCode = code
  if (code === 0) process.stdout.write(text)
  else process.stderr.write(text)
}

const run = async (): Promise<void> => {
  const args = read()
  if (args?.values.help === true) return end(0, usage)
  const [name, ...rest] = args?.positionals ?? []
  const fake = name === "twilio" || name === "vapi" || name === "retell" ? fakes[name] : undefined
  if (args === undefined || fake === undefined || rest.length > 0) return end(2, usage)
  const [port, pace] = [Number(args.values.port ?? fake.port), Number(args.values.pace)]
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || !(pace > 0)) return end(2, usage)
  const publicUrl = args.values["public-url"]
  if (!/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? "")) return end(2, usage)
  try {
    const { url } = await fake.open({ port, pace })
    const settings = { FRONTDESK_PUBLIC_URL: publicUrl, ...fake.settings(url) }
    const lines = Object.entries(settings).map(([variable, value]) => `export ${variable}=${value}`)
    process.stdout.write(`${[`# The fake of ${name} listens on ${url}`, ...lines].join("\n")}\n`)
  } catch (error) {
    const isInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    end(1, isInUse ? `Port ${port} is in use. Choose another with --port\n` : `Cannot listen: ${String(error)}\n`)
  }
}

await run()
