import { createHash } from "node:crypto"
import { type Callback, post } from "../CallbackSender.ts"
import * as Fake from "../Fake.ts"
import { at } from "../Fake.ts"
import { begin, hangUp, run, type Step } from "../CallCourse.ts"
import type { Incoming, Outgoing } from "../Service.ts"
import { answerStart } from "../CallStart.ts"
import { callInMessages, callResource, endedReason, type FakeCall, results } from "./Resources.ts"
import { callback, type HmacPlan, hmacHeaders } from "./Signing.ts"

/** Options of the fake, with the credentials of its organization. */
export interface Options extends Fake.Options {
  readonly apiKey?: string
  readonly phoneNumberIds?: ReadonlyArray<string>
  /** The custom credentials with which messages are signed, by the `credentialId` that a call names. Default: none. */
  readonly credentials?: Readonly<Record<string, HmacPlan>>
}

/** The default credentials of the organization. */
export const defaults = { apiKey: "vapi-key", phoneNumberIds: ["11111111-2222-4333-8444-555555555555"] }

/**
 * Opens a fake of Vapi. It creates, returns, lists and ends calls, returns assistants and phone numbers, and sends the
 * messages of a call, as the scripts of the numbers describe. Calls have no audio.
 */
export const open = (options: Options = {}): Promise<Fake.Fake> => {
  const { apiKey, credentials = {}, phoneNumberIds } = { ...defaults, ...options }

  return Fake.open(options, ({ clock, recordSent, scriptFor, senderFor }) => {
    const calls = new Map<string, FakeCall>()
    const newId = () =>
      createHash("md5")
        .update(`${apiKey} ${clock.now()} ${calls.size}`)
        .digest("hex")
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5")

    const headersFor = (server: unknown) => {
      const plan = credentials[String(at(server, "credentialId"))]
      const fixed = Object.entries(at(server, "headers") ?? {}).map(([name, value]) => [name, String(value)] as const)
      return (body: string): Record<string, string> => ({
        ...(plan === undefined ? {} : hmacHeaders(plan, body, clock.now())),
        ...Object.fromEntries(fixed)
      })
    }

    /** Returns the function that sends the messages of each step of a call. */
    const messagesOf = (call: FakeCall) => {
      const sender = senderFor(call.course.script)
      const server = at(call.request, "assistantOverrides", "server")
      const url = at(server, "url")
      const types = at(call.request, "assistantOverrides", "serverMessages")
      const wanted = Array.isArray(types) ? types : ["status-update", "end-of-call-report", "speech-update", "hang"]
      const headers = headersFor(server)

      const send = async (kind: string, message: { readonly type: string; readonly [field: string]: unknown }) => {
        if (typeof url !== "string" || !wanted.includes(message.type)) return
        const whole = { timestamp: clock.now(), ...message }
        const forged = { ...whole, type: "end-of-call-report", call: callResource(call), endedReason: "customer-busy" }
        const forgedHeaders = () => ({ "x-vapi-secret": "wrong", "x-signature": "0".repeat(64), "x-timestamp": "0" })
        await sender.send(callback(kind, url, whole, headers), callback(kind, url, forged, forgedHeaders))
      }
      const status = (name: string, more: object = {}) => ({
        type: "status-update",
        status: name,
        ...more,
        call: callInMessages(call),
        customer: at(call.request, "customer")
      })

      return async (step: Step): Promise<void> => {
        switch (step) {
          case "ringing":
            return send("ringing", status("ringing"))
          case "answered":
            await send("answered", status("in-progress"))
            return send("answered", { type: "speech-update" })
          case "ended":
            return send("ended", status("ended", { endedReason: endedReason(call) }))
          case "data":
            // The report is sent when the transcript and the recording are ready.
            await send("data", { type: "end-of-call-report", ...results(call), call: callInMessages(call) })
            return sender.close()
          case "price":
            return undefined
        }
      }
    }

    const place = async (request: Readonly<Record<string, unknown>>, origin: string): Promise<FakeCall> => {
      const id = newId()
      const course = begin(clock, scriptFor(String(at(request, "customer", "number"))))
      const call: FakeCall = { id, request, course, controlUrl: `${origin}/${id}/control` }
      calls.set(id, call)
      const maxSeconds = at(request, "assistantOverrides", "maxDurationSeconds")
      await run(clock, course, typeof maxSeconds === "number" ? maxSeconds : 600, messagesOf(call))
      return call
    }

    const start = async (request: Readonly<Record<string, unknown>>, origin: string): Promise<Outgoing> => {
      const number = at(request, "customer", "number")
      if (typeof number !== "string" || !/^\+[1-9]\d{6,14}$/.test(number)) {
        return refused(["customer.number must be a valid phone number in the E.164 format."])
      }
      if (typeof request["assistantId"] !== "string") return refused("Need Either `assistant` Or `assistantId`.")
      if (!phoneNumberIds.includes(String(request["phoneNumberId"]))) return refused("Couldn't Get Phone Number.")
      const refusals = { refused: refused(["customer.number is not allowed"]), limited, failed }
      return answerStart(scriptFor(number), refusals, async () => ({
        status: 201,
        body: callResource(await place(request, origin))
      }))
    }

    const list = (query: URLSearchParams): Outgoing => {
      const [from, until] = [query.get("createdAtGe"), query.get("createdAtLe")]
      const found = [...calls.values()]
        .filter(({ course }) => from === null || course.createdAt >= Date.parse(from))
        .filter(({ course }) => until === null || course.createdAt <= Date.parse(until))
      return {
        status: 200,
        body: found
          .toReversed()
          .slice(0, Number(query.get("limit") ?? 100))
          .map(callResource)
      }
    }

    const control = async (id: string, body: string): Promise<Outgoing> => {
      const call = calls.get(id)
      if (call === undefined || call.course.endedAt !== null) return notFound
      if (Fake.parseObject(body)["type"] !== "end-call") return refused("type is not supported")
      await hangUp(clock, call.course)
      return { status: 200, body: {} }
    }

    const handle = async ({ body, headers, method, url }: Incoming, origin: string): Promise<Outgoing> => {
      const [, controlled] = /^\/([^/]+)\/control$/.exec(url.pathname) ?? []
      // As at Vapi, a request to the control URL of a call needs no key.
      if (controlled !== undefined) return control(controlled, body)
      if (headers["authorization"] !== `Bearer ${apiKey}`) {
        return { status: 401, body: { message: "Invalid Key.", error: "Unauthorized", statusCode: 401 } }
      }
      if (url.pathname === "/call") {
        return method === "POST" ? start(Fake.parseObject(body), origin) : list(url.searchParams)
      }
      if (url.pathname === "/assistant") return { status: 200, body: [] }
      const [, kind, id = ""] = /^\/(call|phone-number)\/([^/]+)$/.exec(url.pathname) ?? []
      if (kind === "phone-number" && phoneNumberIds.includes(id))
        return { status: 200, body: { id, provider: "twilio" } }
      const call = kind === "call" ? calls.get(decodeURIComponent(id)) : undefined
      return call === undefined ? notFound : { status: 200, body: callResource(call) }
    }

    /** Sends a message, with the number of retries in the plan of the call's server. Retries follow at once. */
    const deliver = async (message: Callback): Promise<void> => {
      const call = calls.get(String(at(Fake.parseObject(message.body), "message", "call", "id")))
      const retries = Number(at(call?.request, "assistantOverrides", "server", "backoffPlan", "maxRetries") ?? 0)
      for (let attempt = 0; attempt <= retries; attempt++) {
        const status = await post(message)
        recordSent({ ...message, status })
        if (status !== null && status < 300) return
      }
    }

    return {
      handle,
      deliver,
      unknownCall: (url) => {
        const call: FakeCall = { id: newId(), request: {}, course: begin(clock, {}), controlUrl: `${url}/control` }
        // The message is authenticated in the way that the latest call requested.
        const server = at([...calls.values()].at(-1)?.request, "assistantOverrides", "server")
        const message = { type: "status-update", status: "ringing", timestamp: clock.now(), call: callInMessages(call) }
        return callback("ringing", url, message, headersFor(server))
      }
    }
  })
}

const refused = (message: string | ReadonlyArray<string>): Outgoing => ({
  status: 400,
  body: { message, error: "Bad Request", statusCode: 400 }
})

const notFound: Outgoing = { status: 404, body: { message: "Not Found", error: "Not Found", statusCode: 404 } }

const limited: Outgoing = { status: 429, body: { message: "Too Many Requests", statusCode: 429 } }

const failed: Outgoing = { status: 500, body: { message: "Internal server error", statusCode: 500 } }
