import { createHash } from "node:crypto"
import { begin, hangUp, run, type Step } from "../CallCourse.ts"
import { type Answer, type Callback, request } from "../CallbackSender.ts"
import { answerStart } from "../CallStart.ts"
import * as Fake from "../Fake.ts"
import type { Script } from "../Script.ts"
import type { Incoming, Outgoing } from "../Service.ts"
import { answerList } from "./CallList.ts"
import { error, failed, limited, notFound, unauthorized } from "./Errors.ts"
import { basicFields, callResource, type FakeCall, objectAt } from "./Resources.ts"
import { signed, signedHeaders } from "./Signing.ts"
import { problemOf } from "./StartRequest.ts"

/** Options of the fake, with the credentials of its account. */
export interface Options extends Fake.Options {
  readonly apiKey?: string
}

/** The default credentials of the account. */
export const defaults = { apiKey: "key_0123456789abcdef0123456789ab" }

/** How many more times Retell sends a request that was not answered with 2xx. */
const maxRetries = 3

/**
 * Opens a fake of Retell. It creates, returns, lists and ends calls, and sends the webhooks of a call, as the scripts of the
 * numbers describe. Calls have no audio. Two further paths control it:
 *
 * - `POST /_sim/inbound` `{"from": "+1…", "to": "+1…", "url": "…", "agentId": "…"}` dials a number. The fake sends the webhook
 *   `call_inbound` to the URL, and returns the answer with the id of the call. `agentId` is the agent of the number, and may
 *   be absent. Without an agent in the answer or at the number there is no call.
 * - `POST /_sim/function` `{"callId": "…", "name": "…", "args": {…}, "url": "…"}` calls a custom function in a call, and
 *   returns the answer.
 */
export const open = (options: Options = {}): Promise<Fake.Fake> => {
  const { apiKey } = { ...defaults, ...options }

  return Fake.open(options, ({ clock, recordSent, scriptFor, senderFor }) => {
    const calls = new Map<string, FakeCall>()
    // With a pace, the clock has fractions of milliseconds, which Retell never sends.
    const now = () => Math.floor(clock.now())
    const newId = () => `call_${createHash("md5").update(`${apiKey} ${now()} ${calls.size}`).digest("hex")}`

    const sign = (kind: string, url: string, message: object) => signed(apiKey, kind, url, message, now())

    const webhook = (kind: string, url: string, event: string, call: object) =>
      sign(kind, url, { event, event_timestamp: now(), call })

    /** Returns the function that sends the webhooks of each step of a call. */
    const webhooksOf = (call: FakeCall) => {
      const sender = senderFor(call.course.script)
      const { webhook_events: events, webhook_url: url } = call.agentSettings
      const send = async (kind: string, event: string, fields: object) => {
        if (typeof url !== "string" || (Array.isArray(events) && !events.includes(event))) return
        const other = { ...callResource(call), end_timestamp: now(), disconnection_reason: "dial_busy" }
        const forged = webhook(kind, url, "call_ended", other)
        const headers = signedHeaders("another key", forged.body, now())
        await sender.send(webhook(kind, url, event, fields), { ...forged, headers })
      }
      return async (step: Step): Promise<void> => {
        switch (step) {
          case "answered":
            return send("answered", "call_started", basicFields(call))
          case "ended":
            return send("ended", "call_ended", callResource(call))
          case "data":
            await send("data", "call_analyzed", callResource(call))
            return sender.close()
          // Retell reports neither that a call rings nor that its price is known.
          case "ringing":
          case "price":
            return undefined
        }
      }
    }

    const place = async ({
      script,
      ...fields
    }: Omit<FakeCall, "id" | "course"> & { readonly script: Script }): Promise<FakeCall> => {
      const call: FakeCall = { id: newId(), ...fields, course: begin(clock, script) }
      calls.set(call.id, call)
      const maxMillis = call.agentSettings["max_call_duration_ms"]
      await run(clock, call.course, typeof maxMillis === "number" ? maxMillis / 1000 : 3_600, webhooksOf(call))
      return call
    }

    const start = async (request: Readonly<Record<string, unknown>>): Promise<Outgoing> => {
      const problem = problemOf(request)
      if (problem !== undefined) return problem
      const to = String(request["to_number"])
      const script = scriptFor(to)
      const refusals = { refused: error(400, "to_number is not a number that can be called"), limited, failed }
      return answerStart(script, refusals, async () => {
        const call = await place({
          direction: "outbound",
          agentId: String(request["override_agent_id"]),
          from: String(request["from_number"]),
          to,
          metadata: request["metadata"],
          variables: objectAt(request, "retell_llm_dynamic_variables"),
          agentSettings: objectAt(request, "agent_override", "agent"),
          script
        })
        return { status: 201, body: callResource(call) }
      })
    }

    const stop = async (call: FakeCall): Promise<Outgoing> =>
      (await hangUp(clock, call.course)) ? { status: 204, body: "" } : error(400, "The call is not ongoing.")

    const handle = async ({ body, headers, method, url }: Incoming): Promise<Outgoing> => {
      if (headers["authorization"] !== `Bearer ${apiKey}`) return unauthorized
      const [, path = url.pathname, id = ""] = /^(\/v2\/(?:get|stop)-call)\/([^/]+)$/.exec(url.pathname) ?? []
      const call = calls.get(decodeURIComponent(id))
      switch (`${method} ${path}`) {
        case "POST /v2/create-phone-call":
          return start(Fake.parseObject(body))
        case "POST /v3/list-calls":
          return answerList([...calls.values()], Fake.parseObject(body))
        case "GET /get-concurrency":
          return { status: 200, body: { current_concurrency: 0, concurrency_limit: 20 } }
        case "GET /v2/get-call":
          return call === undefined ? notFound : { status: 200, body: callResource(call) }
        case "POST /v2/stop-call":
          return call === undefined ? notFound : stop(call)
        default:
          return notFound
      }
    }

    /** Sends a request, and up to three retries at once. Returns the last answer. */
    const ask = async (message: Callback): Promise<Answer | null> => {
      let answer: Answer | null = null
      for (let attempt = 0; attempt <= maxRetries; attempt++) {
        answer = await request(message)
        recordSent({ ...message, status: answer?.status ?? null })
        if (answer !== null && answer.status >= 200 && answer.status < 300) break
      }
      return answer
    }

    const dialIn = async (input: Readonly<Record<string, unknown>>): Promise<Outgoing> => {
      const { agentId, from, to, url } = input
      if (typeof from !== "string" || typeof to !== "string" || !isUrl(url)) {
        return { status: 400, body: "Expected from, to and url" }
      }
      const ofNumber = typeof agentId === "string" ? { agent_id: agentId } : {}
      const call_inbound = { ...ofNumber, from_number: from, to_number: to }
      const answer = await ask(sign("inbound", url, { event: "call_inbound", event_timestamp: now(), call_inbound }))
      const given = objectAt(Fake.parseObject(answer?.body ?? ""), "call_inbound")
      const agent = given["override_agent_id"] ?? agentId
      if (typeof agent !== "string") return { status: 200, body: { answer, callId: null } }
      const call = await place({
        direction: "inbound",
        agentId: agent,
        from,
        to,
        metadata: given["metadata"],
        variables: objectAt(given, "dynamic_variables"),
        agentSettings: objectAt(given, "agent_override", "agent"),
        // Retell answers an inbound call itself, so it is never busy, and rings no longer.
        script: { ...scriptFor(from), outcome: "talk", queueSeconds: 0, ringSeconds: 0 }
      })
      return { status: 200, body: { answer, callId: call.id } }
    }

    const callFunction = async ({ args, callId, name, url }: Readonly<Record<string, unknown>>): Promise<Outgoing> => {
      const call = calls.get(String(callId))
      if (call === undefined || typeof name !== "string" || !isUrl(url)) {
        return { status: 400, body: "Expected the callId of a call, name and url" }
      }
      return {
        status: 200,
        body: { answer: await ask(sign("function", url, { name, args: args ?? {}, call: callResource(call) })) }
      }
    }

    return {
      handle,
      deliver: async (message) => {
        await ask(message)
      },
      control: async (path, input) => {
        if (path === "/_sim/inbound") return dialIn(input)
        return path === "/_sim/function" ? callFunction(input) : undefined
      },
      unknownCall: (url) => {
        const course = { ...begin(clock, {}), answeredAt: now() }
        const fields = { agentId: "agent_unknown", from: "+12025550100", to: "+12025550111", metadata: undefined }
        const call: FakeCall = {
          id: newId(),
          direction: "outbound",
          ...fields,
          variables: {},
          agentSettings: {},
          course
        }
        return webhook("answered", url, "call_started", basicFields(call))
      }
    }
  })
}

const isUrl = (value: unknown): value is string =>
  typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "")
