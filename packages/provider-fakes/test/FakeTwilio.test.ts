import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import twilio from "twilio"
import { describe, expect, it } from "vitest"
import { openReceiver } from "./receiver.ts"

const { accountSid, authToken } = FakeTwilio.defaults

/** Returns the official client, connected to the fake. */
const clientOf = (url: string) => {
  const client = twilio(accountSid, authToken)
  client.api.baseUrl = url
  return client
}

const events = ["initiated", "ringing", "answered", "completed"]

describe("the fake of Twilio with the official client", () => {
  it("a call of the client is returned and listed, rings, is answered and ends", async () => {
    await using fake = await FakeTwilio.open()
    await using receiver = await openReceiver()
    const client = clientOf(fake.url)
    const call = await client.calls.create({
      to: "+12025550111",
      from: "+12025550100",
      url: "https://voice.example/talk",
      statusCallback: `${receiver.url}/status?ref=call_1`,
      statusCallbackEvent: events,
      record: true,
      recordingStatusCallback: `${receiver.url}/recording?ref=call_1`
    })
    expect(call).toMatchObject({ status: "queued", direction: "outbound-api", to: "+12025550111" })
    expect(call.sid).toMatch(/^CA[0-9a-f]{32}$/)
    await fake.advance(3_600_000)

    const shown = await client.calls(call.sid).fetch()
    expect(shown).toMatchObject({ status: "completed", duration: "30", priceUnit: "USD", price: "-0.01400" })
    expect(shown.endTime.getTime() - shown.startTime.getTime()).toBe(30_000)
    const since = new Date(fake.now() - 7_200_000)
    const listed = await client.calls.list({ to: "+12025550111", startTimeAfter: since })
    expect(listed.map(({ sid }) => sid)).toEqual([call.sid])
    const recording = { callSid: call.sid, status: "completed", duration: "30" }
    const ofCall = await client.calls(call.sid).recordings.list()
    expect(ofCall).toMatchObject([recording])
    const mediaUrl = `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Recordings/${ofCall[0]?.sid}`
    expect(await client.recordings.list({ callSid: call.sid })).toMatchObject([{ ...recording, mediaUrl }])
    expect(await client.recordings.list({ callSid: `CA${"9".repeat(32)}` })).toEqual([])

    const statuses = receiver.requests.map(({ form }) => form["CallStatus"] ?? form["RecordingStatus"])
    expect(statuses).toEqual(["initiated", "ringing", "in-progress", "completed", "completed"])
    expect(receiver.requests.slice(0, 4).map(({ form }) => form["SequenceNumber"])).toEqual(["0", "1", "2", "3"])
    for (const { form, headers, url } of receiver.requests) {
      expect(twilio.validateRequest(authToken, headers["x-twilio-signature"] ?? "", url, form)).toBe(true)
      expect(twilio.validateRequest("another token", headers["x-twilio-signature"] ?? "", url, form)).toBe(false)
    }
  })

  it("the client hangs up a queued and an answered call, and gets an error for one that has ended", async () => {
    await using fake = await FakeTwilio.open()
    const client = clientOf(fake.url)
    const make = () => client.calls.create({ to: "+12025550111", from: "+12025550100", url: "https://voice.example/" })
    const waiting = await make()
    expect((await client.calls(waiting.sid).update({ status: "canceled" })).status).toBe("canceled")
    const talked = await make()
    await fake.advance(10_000)
    await expect(client.calls(talked.sid).update({ status: "canceled" })).rejects.toMatchObject({ code: 21220 })
    expect(await client.calls(talked.sid).update({ status: "completed" })).toMatchObject({
      status: "completed",
      duration: "7"
    })
    await expect(client.calls(talked.sid).update({ status: "completed" })).rejects.toMatchObject({ code: 21220 })
  })

  it.each([
    ["+15005550001", 21217],
    ["+15005550002", 21214],
    ["+15005550003", 21215],
    ["+15005550004", 21216],
    ["+12025550007", 20429],
    ["+12025550008", 20500],
    ["12025550111", 21217]
  ])("a call to %s gets the error %i", async (to, code) => {
    await using fake = await FakeTwilio.open()
    const made = clientOf(fake.url).calls.create({ to, from: "+12025550100", url: "https://voice.example/" })
    await expect(made).rejects.toMatchObject({ code })
  })

  it("other credentials get 401, and an unknown call gets 404", async () => {
    await using fake = await FakeTwilio.open()
    const stranger = twilio(accountSid, "another token")
    stranger.api.baseUrl = fake.url
    await expect(stranger.balance.fetch()).rejects.toMatchObject({ status: 401, code: 20003 })
    const client = clientOf(fake.url)
    expect(await client.balance.fetch()).toMatchObject({ balance: "12.34", currency: "USD" })
    await expect(client.calls(`CA${"9".repeat(32)}`).fetch()).rejects.toMatchObject({ status: 404, code: 20404 })
  })

  it("a callback that fails is sent again as many times as its URL states", async () => {
    await using fake = await FakeTwilio.open()
    await using receiver = await openReceiver(() => 503)
    await clientOf(fake.url).calls.create({
      to: "+12025550001",
      from: "+12025550100",
      url: "https://voice.example/",
      statusCallback: `${receiver.url}/status#rc=3&rp=5xx,ct`
    })
    await fake.advance(60_000)
    // The callback of the end, and three retries.
    expect(receiver.requests).toHaveLength(4)
    expect(new Set(receiver.requests.map(({ headers }) => headers["i-twilio-idempotency-token"])).size).toBe(1)
  })

  it("the fake has paths to set a script, advance the time, report an unknown call and return the sent callbacks", async () => {
    await using fake = await FakeTwilio.open()
    await using receiver = await openReceiver()
    const control = (path: string, body: unknown) =>
      fetch(`${fake.url}/_sim/${path}`, { method: "POST", body: JSON.stringify(body) })
    await control("scripts", { number: "+12025550111", script: { outcome: "busy", ringSeconds: 1 } })
    await clientOf(fake.url).calls.create({
      to: "+12025550111",
      from: "+12025550100",
      url: "https://voice.example/",
      statusCallback: receiver.url
    })
    await control("advance", { millis: 60_000 })
    await control("unknown-call", { url: receiver.url })
    const sent = await (await control("callbacks", {})).json()
    expect(sent).toMatchObject([
      { kind: "ended", status: 204 },
      { kind: "ringing", status: 204 }
    ])
    expect(receiver.requests.map(({ form }) => form["CallStatus"])).toEqual(["busy", "ringing"])
  })
})
