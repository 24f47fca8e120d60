import { WebhookReceiver } from "@frontdesk/webhook-receiver"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import { provision, serve } from "../support/inProcess.ts"
import { linesOf } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { receiver } from "../support/http.ts"
import { anyText } from "../support/matching.ts"

const id = "01234567-89ab-cdef-0123-456789abcdef"

const created = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

const secretOf = Schema.decodeUnknownSync(Schema.Struct({ secret: Schema.String }))

const decodeControl = Schema.decodeUnknownSync(
  Schema.Struct({
    answer: Schema.Struct({ body: Schema.String }),
    callId: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

const decodeSlots = Schema.decodeUnknownSync(
  Schema.Struct({ slots: Schema.Array(Schema.Struct({ slot_id: Schema.String, start: Schema.String })) })
)

/** Returns the settings of a server that uses a fake of Twilio, with recording. */
const twilioSettings = (twilio: { readonly url: string }) => ({
  FRONTDESK_CALL_PROVIDER: "twilio",
  FRONTDESK_TWILIO_ACCOUNT_SID: FakeTwilio.defaults.accountSid,
  FRONTDESK_TWILIO_AUTH_TOKEN: FakeTwilio.defaults.authToken,
  FRONTDESK_TWILIO_VOICE_URL: "https://agent.example.com/voice",
  FRONTDESK_TWILIO_RECORD: "true",
  FRONTDESK_TWILIO_BASE_URL: twilio.url
})

/** Starts a server with a public URL, to which the fake of a provider sends its callbacks. */
const serveWith = async (settings: Readonly<Record<string, string>>) => {
  const folder = temporaryFolder()
  await provision(folder, acme)
  const port = await freePort()
  const server = await serve(folder, {
    settings: {
      FRONTDESK_PORT: String(port),
      FRONTDESK_PUBLIC_URL: `http://127.0.0.1:${port}`,
      FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
      ...settings
    }
  })
  const call = async (number: string): Promise<number> => {
    const answer = await ask(server.url, "/api/v1/calls", { phone_number: number, agent_id: "asst_ada" })
    expect(answer.status).toBe(201)
    return created(await answer.json()).id
  }
  const shown = (id: number) => ask(server.url, `/api/v1/calls/${id}`).then((answer) => answer.json())
  return { server, call, shown }
}

describe("calls of a server through its call provider", () => {
  it("Twilio: callbacks take a call to its end and cause webhook events, forged ones are rejected, and a call can be hung up", async () => {
    await using twilio = await FakeTwilio.open({ pace: 20 })
    const { call, server, shown } = await serveWith(twilioSettings(twilio))
    const target = await receiver(200)
    const webhook = { name: "w", url: target.url, subscribed_events: ["call.started", "call.ended"] }
    expect((await ask(server.url, "/api/v1/api/webhooks/create", webhook)).status).toBe(201)

    // The fake sends a forged callback for the second number.
    const [answered, forged] = [await call("+12025550111"), await call("+12025550019")]
    for (const id of [answered, forged]) {
      await expect
        .poll(() => shown(id), { timeout: 30_000 })
        .toMatchObject({ status: "completed", recording_url: anyText, billing: { status: "charged" } })
    }
    const names = () => target.received.map(({ headers }) => String(headers["x-service-event"])).toSorted()
    await expect.poll(names, { timeout: 20_000 }).toEqual(["call.ended", "call.ended", "call.started", "call.started"])

    twilio.script("+12025550333", { talkSeconds: 3_000 })
    const long = await call("+12025550333")
    await expect.poll(() => shown(long), { timeout: 20_000 }).toMatchObject({ status: "in_progress" })
    const hungUp = await ask(server.url, `/api/v1/calls/${long}/hang-up`, {})
    expect([hungUp.status, await hungUp.json()]).toMatchObject([200, { id: long, message: "The call is being ended" }])
    await expect.poll(() => shown(long), { timeout: 20_000 }).toMatchObject({ status: "completed" })

    const { stderr } = await server.stop()
    expect(linesOf(stderr, "callback.signature_refused")).not.toEqual([])
    expect(stderr).not.toContain(FakeTwilio.defaults.authToken)
  }, 90_000)

  it("Twilio: the start, end and recording of a call each cause one webhook event with a valid signature, in this order", async () => {
    await using twilio = await FakeTwilio.open()
    const { call, server, shown } = await serveWith(twilioSettings(twilio))
    const target = await receiver(200)
    const events = ["call.started", "call.ended", "call.failed", "call.recording"]
    const webhook = { name: "w", url: target.url, subscribed_events: events }
    const { secret } = secretOf(await (await ask(server.url, "/api/v1/api/webhooks/create", webhook)).json())
    const { verify } = WebhookReceiver.make({ secrets: [secret] })
    const verified = () => Promise.all(target.received.map(verify))

    const id = await call("+12025550111")
    const expectStatus = async (status: string, afterMillis: number) => {
      await twilio.advance(afterMillis)
      await expect.poll(() => shown(id), { timeout: 60_000 }).toMatchObject({ status })
    }
    await expect
      .poll(() => twilio.advance(0).then(() => shown(id)), { timeout: 60_000 })
      .toMatchObject({ status: "ringing" })
    expect(await verified()).toEqual([])
    const of = (event: string) => ({ ok: true, scheme: "standard", event, payload: { call: { id } } })
    await expectStatus("in_progress", 5_000)
    await expect.poll(verified, { timeout: 60_000 }).toMatchObject([of("call.started")])
    await expectStatus("completed", 30_000)
    await expect.poll(verified, { timeout: 60_000 }).toMatchObject([of("call.started"), of("call.ended")])
    await twilio.advance(10_000)
    await expect
      .poll(verified, { timeout: 60_000 })
      .toMatchObject(["call.started", "call.ended", "call.recording"].map(of))
    await server.stop()
    expect(target.received).toHaveLength(3)
  }, 90_000)

  it("Vapi: the report at the end of a call has its transcript, recording and summary", async () => {
    await using vapi = await FakeVapi.open({ pace: 20 })
    const { call, shown } = await serveWith({
      FRONTDESK_CALL_PROVIDER: "vapi",
      FRONTDESK_VAPI_API_KEY: FakeVapi.defaults.apiKey,
      FRONTDESK_VAPI_PHONE_NUMBER_ID: FakeVapi.defaults.phoneNumberIds[0] ?? id,
      FRONTDESK_VAPI_WEBHOOK_SECRET: "between-vapi-and-us",
      FRONTDESK_VAPI_BASE_URL: vapi.url
    })
    const answered = await call("+12025550111")
    await expect
      .poll(() => shown(answered), { timeout: 30_000 })
      .toMatchObject({ status: "completed", transcript: anyText, recording_url: anyText, summary: anyText })
  }, 60_000)

  it("Retell: the webhooks of a call have its end, transcript, recording and summary", async () => {
    await using retell = await FakeRetell.open({ pace: 20 })
    const { call, shown } = await serveWith({
      FRONTDESK_CALL_PROVIDER: "retell",
      FRONTDESK_RETELL_API_KEY: FakeRetell.defaults.apiKey,
      FRONTDESK_RETELL_BASE_URL: retell.url
    })
    const [answered, busy] = [await call("+12025550111"), await call("+12025550001")]
    await expect
      .poll(() => shown(answered), { timeout: 30_000 })
      .toMatchObject({ status: "completed", transcript: anyText, recording_url: anyText, summary: anyText })
    await expect.poll(() => shown(busy), { timeout: 30_000 }).toMatchObject({ status: "busy" })
  }, 60_000)

  it("Retell: an inbound call is answered by the agent of the number, and a custom function books an appointment", async () => {
    await using retell = await FakeRetell.open()
    const { server, shown } = await serveWith({
      FRONTDESK_CALL_PROVIDER: "retell",
      FRONTDESK_RETELL_API_KEY: FakeRetell.defaults.apiKey,
      FRONTDESK_RETELL_BASE_URL: retell.url
    })
    const control = async (path: string, input: object) => {
      const body = JSON.stringify({
        ...input,
        url: `${server.url}/providers/retell/${path === "inbound" ? path : "functions"}`
      })
      return decodeControl(await (await fetch(`${retell.url}/_sim/${path}`, { method: "POST", body })).json())
    }
    const refused = await control("inbound", { from: "+12025550111", to: "+12025550199" })
    expect(refused).toMatchObject({ answer: { body: '{"call_inbound":{}}' }, callId: null })
    const { callId } = await control("inbound", { from: "+12025550111", to: "+12025550100" })
    await retell.advance(1_000)

    const use = async (name: string, args: object): Promise<unknown> =>
      JSON.parse((await control("function", { callId, name, args })).answer.body)
    const [from_date, to_date] = [7, 14].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    )
    const { slots } = decodeSlots(await use("find_slots", { from_date, to_date, duration_minutes: 30 }))
    const booked = await use("book", { slot_id: slots[0]?.slot_id, title: "Check-up" })
    expect(booked).toMatchObject({ event: { status: "scheduled", start_time: slots[0]?.start } })

    await retell.advance(120_000)
    await expect
      .poll(() => shown(1), { timeout: 30_000 })
      .toMatchObject({
        type: "inbound",
        status: "completed",
        phone_number: "+12025550111",
        duration_seconds: 30,
        summary: anyText,
        tool_calls: [{ name: "find_slots" }, { name: "book" }]
      })
  }, 60_000)
})
