import process from "node:process"
import { parseArgs } from "node:util"
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
      FRONTDESK_VAPI_WEBHOOK_SECRET: "any-secret"
    })
  }
}

const usage = "usage: node packages/provider-fakes/src/main.ts twilio|vapi [--port PORT] [--pace SECONDS_PER_SECOND]\n"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string" }, pace: { type: "string", default: "1" } }
})
const name = positionals[0]
const fake = name === "twilio" || name === "vapi" ? fakes[name] : undefined
const [port, pace] = [Number(values.port ?? fake?.port), Number(values.pace)]
if (fake === undefined || !Number.isInteger(port) || !(pace > 0)) {
  process.stderr.write(usage)
  process.exitCode = 2
} else {
  const { url } = await fake.open({ port, pace })
  const settings = Object.entries(fake.settings(url)).map(([variable, value]) => `export ${variable}=${value}`)
  process.stdout.write(`${[`# The stand-in for ${name} is at ${url}`, ...settings].join("\n")}\n`)
}
