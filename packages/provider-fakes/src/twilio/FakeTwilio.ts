import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { type Callback, post, request } from "../CallbackSender.ts"
import * as Fake from "../Fake.ts"
import { begin, hangUp, run, type Step } from "../CallCourse.ts"
import type { Incoming, Outgoing } from "../Service.ts"
import { answerStart } from "../CallStart.ts"
import { machineForm, recordingForm, signed, statusForm, voiceForm } from "./Callbacks.ts"
import { error } from "./Errors.ts"
import {
  callResource,
  date,
  type FakeCall,
  hasRecording,
  recordingOfCall,
  recordingResource,
  statusOf
} from "./Resources.ts"
import { instructionsOf } from "./Twiml.ts"

/** Options of the fake, with the credentials of its account. */
export interface Options extends Fake.Options {
  readonly accountSid?: string
  readonly authToken?: string
  readonly apiKey?: { readonly sid: string; readonly secret: string }
}

/** The maximum duration of a call that names no other, in seconds. */
const defaultTimeLimit = 14_400

/** The default credentials of the account. */
export const defaults = { accountSid: `AC${"0".repeat(32)}`, authToken: "12345" }

/**
 * Opens a fake of Twilio. It creates, returns, lists and ends calls, returns the balance, and sends signed callbacks,
 * as the scripts of the numbers describe. Calls have no audio. It requests TwiML for inbound calls only, and does not follow
 * a redirect in it.
 *
 * `POST /_sim/inbound` `{"from": "+1…", "to": "+1…", "voiceUrl": "…", "statusUrl": "…"}` lets a person call a number. The
 * URLs are those that the number has at Twilio; `statusUrl` is optional. The script of `from` decides how long the person
 * talks. The answer is `{"sid": "CA…", "twiml": "…", "error": null}`, or has the error that ends the call.
 */
export const open = (options: Options = {}): Promise<Fake.Fake> => {
  const { accountSid: account, authToken } = { ...defaults, ...options }
  const keys = [
    `${account}:${authToken}`,
    ...(options.apiKey === undefined ? [] : [`${options.apiKey.sid}:${options.apiKey.secret}`])
  ]
  const credentials = new Set(keys.map((key) => `Basic ${Buffer.from(key).toString("base64")}`))

  return Fake.open(options, ({ clock, recordSent, scriptFor, senderFor }) => {
    const calls = new Map<string, FakeCall>()
    const newSid = () => `CA${createHash("md5").update(`${account} ${clock.now()} ${calls.size}`).digest("hex")}`

    /** Returns the function that sends the callbacks of each step of a call. */
    const callbacksOf = (call: FakeCall) => {
      const { form, course } = call
      const sender = senderFor(course.script)
      const subscribed = form.getAll("StatusCallbackEvent").flatMap((events) => events.split(/[ ,]+/))
      const wanted = new Set(subscribed.length === 0 ? ["completed"] : subscribed)

      const callBack = async (kind: string, url: string | null, parameters: URLSearchParams) => {
        if (url === null) return
        const forged = new URLSearchParams(parameters)
        forged.set("CallStatus", "failed")
        forged.set("Timestamp", date(clock.now()) ?? "")
        await sender.send(signed(authToken, kind, url, parameters), signed("another token", kind, url, forged))
      }
      const reportStatus = async (kind: string, event: string, status: string) => {
        // Twilio reports the end of an inbound call to the number's URL, as its first callback, and nothing before it.
        if (call.direction === "inbound" && event !== "completed") return
        const parameters = statusForm(account, call, status, clock.now())
        if (wanted.has(event)) await callBack(kind, form.get("StatusCallback"), parameters)
      }

      return async (step: Step): Promise<void> => {
        switch (step) {
          case "ringing":
            await reportStatus("ringing", "initiated", "initiated")
            return reportStatus("ringing", "ringing", "ringing")
          case "answered":
            await reportStatus("answered", "answered", "in-progress")
            return form.has("AsyncAmd")
              ? callBack("answered", form.get("AsyncAmdStatusCallback"), machineForm(account, call))
              : undefined
          case "ended":
            return reportStatus("ended", "completed", statusOf(call))
          case "data":
            if (hasRecording(call)) {
              await callBack("data", form.get("RecordingStatusCallback"), recordingForm(account, call))
            }
            return sender.close()
          case "price":
            return undefined
        }
      }
    }

    const place = async (form: URLSearchParams): Promise<FakeCall> => {
      const course = begin(clock, scriptFor(form.get("To") ?? ""))
      const call: FakeCall = { sid: newSid(), direction: "outbound-api", form, course, sequence: 0 }
      calls.set(call.sid, call)
      await run(clock, call.course, Number(form.get("TimeLimit") ?? defaultTimeLimit), callbacksOf(call))
      return call
    }

    /** Lets a person call a number. Returns when the server has answered which TwiML conducts the call. */
    const receive = async (form: URLSearchParams, voiceUrl: string): Promise<Outgoing> => {
      const script = { ...scriptFor(form.get("From") ?? ""), outcome: "talk", queueSeconds: 0, ringSeconds: 0 } as const
      const call: FakeCall = { sid: newSid(), direction: "inbound", form, course: begin(clock, script), sequence: 0 }
      calls.set(call.sid, call)
      const onStep = callbacksOf(call)
      // The person may hang up, or be hung up, before the server has answered.
      call.course.onStep = onStep
      call.course.ringingAt = clock.now()
      const question = signed(authToken, "voice", voiceUrl, voiceForm(account, call))
      const answer = await request(question)
      recordSent({ ...question, status: answer?.status ?? null })
      const { error, seconds } = instructionsOf(answer)
      await run(clock, call.course, seconds ?? defaultTimeLimit, onStep)
      return { status: 200, body: { sid: call.sid, twiml: answer?.body ?? null, error } }
    }

    const control = async (path: string, input: Readonly<Record<string, unknown>>): Promise<Outgoing | undefined> => {
      if (path !== "/_sim/inbound") return undefined
      const { from, statusUrl, to, voiceUrl } = input
      const isUrl = (value: unknown): value is string =>
        typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "")
      if (typeof from !== "string" || typeof to !== "string" || !isUrl(voiceUrl)) {
        return { status: 400, body: "Expected from, to and voiceUrl" }
      }
      if (statusUrl !== undefined && !isUrl(statusUrl)) return { status: 400, body: "Expected a URL as statusUrl" }
      const status = statusUrl === undefined ? [] : [["StatusCallback", statusUrl]]
      return receive(new URLSearchParams([["From", from], ["To", to], ...status]), voiceUrl)
    }

    const start = async (form: URLSearchParams): Promise<Outgoing> => {
      const [to, from, url] = [form.get("To"), form.get("From"), form.get("Url")]
      if (to === null || to === "") return error(21201)
      if (!/^\+[1-9]\d{6,14}$/.test(to)) return error(21217)
      if (from === "+15005550001" || from === null || !/^\+[1-9]\d{6,14}$/.test(from)) return error(21212)
      if (url === null ? !form.has("Twiml") : !URL.canParse(url)) return error(21205)
      const script = scriptFor(to)
      const refusals = { refused: error(script.refusalCode ?? 21215), limited: error(20429), failed: error(20500) }
      return answerStart(script, refusals, async () => ({
        status: 201,
        body: callResource(account, await place(form))
      }))
    }

    const update = async (call: FakeCall, status: string | null): Promise<Outgoing> => {
      const isWaiting = call.course.answeredAt === null && call.course.endedAt === null
      if (status !== "completed" && !(status === "canceled" && isWaiting)) return error(21220)
      if (!(await hangUp(clock, call.course))) return error(21220)
      return { status: 200, body: callResource(account, call) }
    }

    const list = (query: URLSearchParams): Outgoing => {
      const after = query.get("StartTime>")
      const size = Number(query.get("PageSize") ?? 50)
      const found = [...calls.values()].toReversed().filter((call) => {
        const started = call.course.answeredAt ?? call.course.ringingAt
        return (
          (query.get("To") ?? call.form.get("To")) === call.form.get("To") &&
          (query.get("From") ?? call.form.get("From")) === call.form.get("From") &&
          (query.get("Status") ?? statusOf(call)) === statusOf(call) &&
          (after === null || (started !== null && started >= Date.parse(after)))
        )
      })
      const page = found.slice(0, size).map((call) => callResource(account, call))
      const next = found.length > size ? `/2010-04-01/Accounts/${account}/Calls.json?Page=1` : null
      return { status: 200, body: { calls: page, page: 0, page_size: size, next_page_uri: next, end: page.length } }
    }

    const handle = async ({ body, headers, method, url }: Incoming): Promise<Outgoing> => {
      const prefix = `/2010-04-01/Accounts/${account}/`
      if (!credentials.has(headers["authorization"] ?? "")) return error(20003)
      if (!url.pathname.startsWith(prefix)) return error(20404)
      const path = url.pathname.slice(prefix.length)
      if (path === "Balance.json") {
        return { status: 200, body: { account_sid: account, balance: "12.34", currency: "USD" } }
      }
      if (path === "Calls.json") return method === "POST" ? start(new URLSearchParams(body)) : list(url.searchParams)
      if (path === "Recordings.json") {
        const recorded = [...calls.values()].filter(
          (call) => hasRecording(call) && call.sid === (url.searchParams.get("CallSid") ?? call.sid)
        )
        const recordings = recorded.map((call) => recordingResource(account, call))
        return { status: 200, body: { recordings, next_page_uri: null } }
      }
      const [, sid = "", rest] = /^Calls\/([^/]+?)(\/Recordings)?\.json$/.exec(path) ?? []
      const call = calls.get(decodeURIComponent(sid))
      if (call === undefined) return error(20404)
      if (rest !== undefined) {
        const recordings = hasRecording(call) ? [recordingOfCall(account, call)] : []
        return { status: 200, body: { recordings, next_page_uri: null } }
      }
      if (method === "POST") return update(call, new URLSearchParams(body).get("Status"))
      return { status: 200, body: callResource(account, call) }
    }

    /**
     * Sends a callback with the retries in the fragment of its URL: `rc` is their number, `rp` the reasons for them.
     */
    const deliver = async (callback: Callback): Promise<void> => {
      const overrides = new URLSearchParams(/#(.*)$/s.exec(callback.url)?.[1] ?? "")
      const reasons = new Set((overrides.get("rp") ?? "ct").split(","))
      for (let attempt = 0; attempt <= Number(overrides.get("rc") ?? 1); attempt++) {
        const status = await post(callback)
        recordSent({ ...callback, status })
        const reason = status === null ? "ct" : status >= 500 ? "5xx" : status >= 400 ? "4xx" : undefined
        if (reason === undefined || !(reasons.has(reason) || reasons.has("all"))) return
      }
    }

    return {
      handle,
      deliver,
      control,
      unknownCall: (url) => {
        const form = new URLSearchParams({ To: "+12025550199", From: "+12025550100" })
        const course = begin(clock, {})
        const call: FakeCall = { sid: newSid(), direction: "outbound-api", form, course, sequence: 0 }
        return signed(authToken, "ringing", url, statusForm(account, call, "ringing", clock.now()))
      }
    }
  })
}
