import { createHash } from "node:crypto"
import { type Callback, post, request as requestAnswer } from "../CallbackSender.ts"
import * as Fake from "../Fake.ts"
import { at } from "../Fake.ts"
import { begin, hangUp, run, type Step } from "../CallCourse.ts"
import type { Incoming, Outgoing } from "../Service.ts"
import { answerStart } from "../CallStart.ts"
import type { Script } from "../Script.ts"
import * as Control from "./Control.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"
import {
  aboutCall,
  callInMessages,
  callResource,
  endedReason,
  type FakeCall,
  maxSecondsOf,
  results,
  sendsMessages,
  serverOf
} from "./Resources.ts"
import { callback, type HmacPlan, hmacHeaders } from "./Signing.ts"

/** Options of the fake, with the credentials of its organization. */
export interface Options extends Fake.Options {
  readonly apiKey?: string
  readonly phoneNumberIds?: ReadonlyArray<string>
  /** The custom credentials with which messages are signed, by the `credentialId` that a call names. Default: none. */
  readonly credentials?: Readonly<Record<string, HmacPlan>>
  /** The timeout for the answer to an `assistant-request`, in milliseconds of real time. Default: 7,500, as at Vapi. */
  readonly assistantRequestTimeout?: number
}

/** The default credentials of the organization. */
export const defaults = { apiKey: "vapi-key", phoneNumberIds: ["11111111-2222-4333-8444-555555555555"] }

/**
 * Opens a fake of Vapi. It creates, returns, lists and ends calls, returns assistants and phone numbers, and sends the
 * messages of a call, as the scripts of the numbers describe. Calls have no audio.
 *
 * In addition to the control paths of {@link Fake.open} it has these:
 *
 * - `POST /_sim/phone-numbers` `{"number": "+1…", "id": "…", "server": {"url": "…", "secret": "…"}, "assistantId": "…"}` sets a
 *   phone number with its server, or with the assistant that answers all its calls. Without an id it has the first of
 *   `phoneNumberIds`.
 * - `POST /_sim/inbound` `{"from": "+1…", "to": "+1…"}` lets a person dial such a number. Without an assistant of the number,
 *   its server is sent an `assistant-request`. The script of `from` describes the call, which lasts until it is hung up or
 *   reaches its maximum duration. The answer has `callId`, `status` and the answer of the server.
 * - `POST /_sim/tool-calls` `{"callId": "…", "calls": [{"name": "…", "arguments": {…}}], "shape": "text"}` sends tool calls to the
 *   server of a call in progress, and returns the status and the body with which the server answers.
 */
export const open = (options: Options = {}): Promise<Fake.Fake> => {
  const { apiKey, assistantRequestTimeout = 7_500, credentials = {}, phoneNumberIds } = { ...defaults, ...options }

  return Fake.open(options, ({ clock, recordSent, scriptFor, senderFor }) => {
    const calls = new Map<string, FakeCall>()
    const numbers = PhoneNumbers.make()
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
      const server = serverOf(call)
      const url = at(server, "url")
      const headers = headersFor(server)

      const send = async (kind: string, message: { readonly type: string; readonly [field: string]: unknown }) => {
        if (typeof url !== "string" || !sendsMessages(call, message.type)) return
        const whole = { timestamp: clock.now(), ...message }
        const forged = { ...whole, type: "end-of-call-report", call: callResource(call), endedReason: "customer-busy" }
        const forgedHeaders = () => ({ "x-vapi-secret": "wrong", "x-signature": "0".repeat(64), "x-timestamp": "0" })
        await sender.send(callback(kind, url, whole, headers), callback(kind, url, forged, forgedHeaders))
      }
      const status = (name: string, more: object = {}) => ({
        type: "status-update",
        status: name,
        ...more,
        ...aboutCall(call)
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
            await send("data", { type: "end-of-call-report", ...results(call), ...aboutCall(call) })
            return sender.close()
          case "price":
            return undefined
        }
      }
    }

    const create = (
      fields: Pick<FakeCall, "type" | "number" | "request">,
      script: Script,
      origin: string
    ): FakeCall => {
      const id = newId()
      const call: FakeCall = { id, ...fields, course: begin(clock, script), controlUrl: `${origin}/${id}/control` }
      calls.set(id, call)
      return call
    }

    const follow = (call: FakeCall) => run(clock, call.course, maxSecondsOf(call), messagesOf(call))

    const place = async (request: Readonly<Record<string, unknown>>, origin: string): Promise<FakeCall> => {
      const number = numbers.byId(String(request["phoneNumberId"]))
      const script = scriptFor(String(at(request, "customer", "number")))
      const call = create({ type: "outboundPhoneCall", number, request }, script, origin)
      await follow(call)
      return call
    }

    const ring = (number: PhoneNumbers.FakeNumber, from: string | undefined, origin: string): FakeCall => {
      const { assistantId, id: phoneNumberId } = number
      const request = {
        phoneNumberId,
        customer: from === undefined ? {} : { number: from },
        ...(assistantId !== undefined && { assistantId })
      }
      const { ringSeconds = 0, talkSeconds = Infinity, ...script } = scriptFor(from ?? "")
      const all: Script = { ...script, outcome: "talk", ringSeconds, talkSeconds }
      const call = create({ type: "inboundPhoneCall", number, request }, all, origin)
      call.course.ringingAt = clock.now()
      return call
    }

    const start = async (request: Readonly<Record<string, unknown>>, origin: string): Promise<Outgoing> => {
      const number = at(request, "customer", "number")
      if (typeof number !== "string" || !/^\+[1-9]\d{6,14}$/.test(number)) {
        return refused(["customer.number must be a valid phone number in the E.164 format."])
      }
      if (typeof request["assistantId"] !== "string") return refused("Need Either `assistant` Or `assistantId`.")
      if (!hasNumber(String(request["phoneNumberId"]))) return refused("Couldn't Get Phone Number.")
      const refusals = { refused: refused(["customer.number is not allowed"]), limited, failed }
      return answerStart(scriptFor(number), refusals, async () => ({
        status: 201,
        body: callResource(await place(request, origin))
      }))
    }

    const hasNumber = (id: string): boolean => phoneNumberIds.includes(id) || numbers.byId(id) !== undefined

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
      if (kind === "phone-number" && hasNumber(id)) {
        const number = numbers.byId(id)
        return {
          status: 200,
          body: number === undefined ? { id, provider: "twilio" } : PhoneNumbers.numberResource(number)
        }
      }
      const call = kind === "call" ? calls.get(decodeURIComponent(id)) : undefined
      return call === undefined ? notFound : { status: 200, body: callResource(call) }
    }

    /** Sends a message, with the number of retries in the plan of the call's server. Retries follow at once. */
    const deliver = async (message: Callback): Promise<void> => {
      const call = calls.get(String(at(Fake.parseObject(message.body), "message", "call", "id")))
      const retries = Number(at(call && serverOf(call), "backoffPlan", "maxRetries") ?? 0)
      for (let attempt = 0; attempt <= retries; attempt++) {
        const status = await post(message)
        recordSent({ ...message, status })
        if (status !== null && status < 300) return
      }
    }

    const ask: Control.ControlContext["ask"] = async (call, message, timeoutMillis) => {
      const server = serverOf(call)
      const question = callback(message.type, String(at(server, "url")), message, headersFor(server))
      const answer = await requestAnswer(question, timeoutMillis)
      recordSent({ ...question, status: answer?.status ?? null })
      return answer
    }

    return {
      handle,
      deliver,
      control: Control.make({
        clock,
        numbers,
        defaultNumberId: phoneNumberIds[0] ?? "",
        assistantRequestTimeout,
        findCall: (id) => calls.get(id),
        ring,
        watch: (call) => {
          call.course.onStep = messagesOf(call)
        },
        follow,
        ask
      }),
      unknownCall: (url) => {
        const about = { type: "outboundPhoneCall", number: undefined, request: {} } as const
        const call: FakeCall = { id: newId(), ...about, course: begin(clock, {}), controlUrl: `${url}/control` }
        // The message is authenticated in the way that the latest call requested.
        const latest = [...calls.values()].at(-1)
        const server = latest && serverOf(latest)
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
