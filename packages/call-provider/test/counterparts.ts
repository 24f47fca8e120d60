import type { Callback } from "@frontdesk/core/call/CallProvider"
import type { CallProviderSuiteOptions } from "@frontdesk/testing/suite/callProviderSuite"
import type { Fake } from "@frontdesk/provider-fakes/Fake"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import { signed } from "@frontdesk/provider-fakes/retell/Signing"
import * as Twilio from "@frontdesk/provider-fakes/twilio/Callbacks"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import { hmacHeaders } from "@frontdesk/provider-fakes/vapi/Signing"
import { VapiCallProvider } from "@frontdesk/call-provider"
import * as FaultyProxy from "@frontdesk/testing/receiver/FaultyProxy"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { VariableScalar } from "@frontdesk/core/variable/ContextVariable"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { retell, twilio, vapiOptions, vapiSecret } from "./providerSetup.ts"

type Options = CallProviderSuiteOptions & Required<Pick<CallProviderSuiteOptions, "counterpart">>

/** The numbers of the inbound call that a provider asks about. */
const numbers = { from: PhoneNumber.make("+12025550111"), to: PhoneNumber.make("+12025550100") }

/** Opens a fake of Twilio behind a faulty proxy. Returns the options of the suite. */
export const openTwilio = async (): Promise<Options & AsyncDisposable> => {
  const fake = await FakeTwilio.open()
  const proxy = await FaultyProxy.open(fake.url)
  const starts = () =>
    proxy.requests.flatMap(({ body, method, path }) => {
      if (method !== "POST" || !path.endsWith("/Calls.json")) return []
      const form = new URLSearchParams(body)
      const url = new URL(form.get("Url") ?? "")
      const variables = [...url.searchParams].flatMap(([name, value]) =>
        name.startsWith("var_") ? [[name.slice(4), value] as const] : []
      )
      return [
        {
          to: form.get("To") ?? "",
          from: form.get("From") ?? "",
          maxDurationSeconds: Number(form.get("TimeLimit")),
          variables: Object.fromEntries(variables)
        }
      ]
    })
  const callbackWith = (more: Readonly<Record<string, string>>, path = "callbacks?ref=call_1") =>
    Effect.sync((): Callback => {
      const url = `http://127.0.0.1:9/providers/twilio/${path}`
      const form = new URLSearchParams({ CallSid: `CA${"1".repeat(32)}`, CallStatus: "ringing", ...more })
      const { body, headers } = Twilio.signed(FakeTwilio.defaults.authToken, "ringing", url, form)
      return { method: "POST", url, headers, body: new TextEncoder().encode(body) }
    })
  return {
    ...commonOptions(fake),
    keepsReference: false,
    unsupported: (command) => ({ ...command, assistantId: "a".repeat(4_000) }),
    counterpart: {
      provider: twilio(proxy.url),
      ...faultsOf(proxy, ({ body, path }) => /\/Calls\/[^/]+\.json$/.test(path) && body.startsWith("Status=")),
      starts,
      callback: callbackWith({}),
      paddedCallback: padded((padding) => callbackWith({ Padding: padding })),
      inbound: {
        question: callbackWith({ Direction: "inbound", From: numbers.from, To: numbers.to }, "inbound"),
        numbers
      }
    },
    [Symbol.asyncDispose]: () => dispose(proxy, fake)
  }
}

/** Opens a fake of Vapi behind a faulty proxy. Returns the options of the suite. */
export const openVapi = async (): Promise<Options & AsyncDisposable> => {
  const fake = await FakeVapi.open()
  const proxy = await FaultyProxy.open(fake.url)
  const [numberId = ""] = FakeVapi.defaults.phoneNumberIds
  const numberIds: Readonly<Record<string, string>> = { "+12025550100": numberId }
  const starts = () =>
    proxy.requests.flatMap(({ body, method, path }) => {
      if (method !== "POST" || path !== "/call") return []
      const { assistantOverrides, customer, phoneNumberId } = decodeStart(body)
      const { maxDurationSeconds, variableValues } = assistantOverrides
      return [
        {
          to: customer.number,
          from: Object.keys(numberIds).find((number) => numberIds[number] === phoneNumberId) ?? "",
          maxDurationSeconds,
          variables: Object.fromEntries(Object.entries(variableValues).map(([name, value]) => [name, String(value)]))
        }
      ]
    })
  const callbackOf = (message: object) =>
    Effect.sync((): Callback => {
      const body = JSON.stringify({ message })
      return {
        method: "POST",
        url: "http://127.0.0.1:9/providers/vapi/messages",
        headers: hmacHeaders({ secretKey: vapiSecret }, body, fake.now()),
        body: new TextEncoder().encode(body)
      }
    })
  const callbackWith = (padding: string) =>
    callbackOf({ type: "status-update", status: "ringing", call: { id: "0196" }, padding })
  const inboundCall = { id: "0197", type: "inboundPhoneCall", customer: { number: numbers.from } }
  const provider = VapiCallProvider.layer({
    ...vapiOptions(proxy.url),
    phoneNumberId: numberIds,
    authentication: { _tag: "Hmac", secret: Redacted.make(vapiSecret), credentialId: "credential" }
  }).pipe(Layer.provide(FetchHttpClient.layer))
  return {
    ...commonOptions(fake),
    unsupported: (command) => ({ ...command, from: PhoneNumber.make("+12025550199") }),
    counterpart: {
      provider,
      ...faultsOf(proxy, ({ path }) => path.endsWith("/control")),
      starts,
      callback: callbackWith(""),
      paddedCallback: padded(callbackWith),
      inbound: {
        question: callbackOf({ type: "assistant-request", call: inboundCall, phoneNumber: { number: numbers.to } }),
        numbers
      }
    },
    [Symbol.asyncDispose]: () => dispose(proxy, fake)
  }
}

/** Opens a fake of Retell behind a faulty proxy. Returns the options of the suite. */
export const openRetell = async (): Promise<Options & AsyncDisposable> => {
  const fake = await FakeRetell.open()
  const proxy = await FaultyProxy.open(fake.url)
  const starts = () =>
    proxy.requests.flatMap(({ body, method, path }) => {
      if (method !== "POST" || path !== "/v2/create-phone-call") return []
      const {
        agent_override,
        from_number: from,
        retell_llm_dynamic_variables: variables,
        to_number: to
      } = decodeRetellStart(body)
      return [{ to, from, maxDurationSeconds: agent_override.agent.max_call_duration_ms / 1_000, variables }]
    })
  const callbackOf = (message: object) =>
    Effect.sync((): Callback => {
      const url = "http://127.0.0.1:9/providers/retell/webhook"
      const { body, headers } = signed(FakeRetell.defaults.apiKey, "webhook", url, message, fake.now())
      return { method: "POST", url, headers, body: new TextEncoder().encode(body) }
    })
  const call = { call_id: "call_1", call_status: "ongoing", start_timestamp: fake.now() }
  const callbackWith = (padding: string) => callbackOf({ event: "call_started", call, padding })
  return {
    ...commonOptions(fake),
    counterpart: {
      provider: retell(proxy.url),
      ...faultsOf(proxy, ({ path }) => path.startsWith("/v2/stop-call/")),
      starts,
      callback: callbackWith(""),
      paddedCallback: padded(callbackWith),
      inbound: {
        question: callbackOf({
          event: "call_inbound",
          call_inbound: { from_number: numbers.from, to_number: numbers.to }
        }),
        numbers
      }
    },
    [Symbol.asyncDispose]: () => dispose(proxy, fake)
  }
}

/** Returns a function that returns a callback with a body of a length in bytes. */
const padded = (make: (padding: string) => Effect.Effect<Callback>) => (bytes: number) =>
  Effect.flatMap(make(""), ({ body }) => make("x".repeat(bytes - body.length)))

/** Returns the faults of a counterpart behind a proxy, and its count of requests. */
const faultsOf = (
  proxy: FaultyProxy.FaultyProxy,
  isHangUp: (request: FaultyProxy.Proxied) => boolean
): Pick<Options["counterpart"], "countRequests" | "fail"> => {
  const isIn = (requests: "all" | "hangUps") => (requests === "all" ? () => true : isHangUp)
  return {
    fail: (fault, isForwarded, requests) => proxy.fail(fault, isForwarded, isIn(requests)),
    countRequests: (requests) => proxy.requests.filter(isIn(requests)).length
  }
}

/** Decodes the parts of Vapi's request to start a call that the suite compares. */
const decodeStart = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      phoneNumberId: Schema.String,
      customer: Schema.Struct({ number: Schema.String }),
      assistantOverrides: Schema.Struct({
        maxDurationSeconds: Schema.Finite,
        variableValues: Schema.Record(Schema.String, VariableScalar)
      })
    })
  )
)

/** Decodes the parts of Retell's request to start a call that the suite compares. */
const decodeRetellStart = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      from_number: Schema.String,
      to_number: Schema.String,
      retell_llm_dynamic_variables: Schema.Record(Schema.String, Schema.String),
      agent_override: Schema.Struct({ agent: Schema.Struct({ max_call_duration_ms: Schema.Finite }) })
    })
  )
)

const commonOptions = (fake: Fake) => ({
  acceptedNumber: "+12025550111",
  refusedNumber: "+12025550003",
  passTime: Effect.promise(() => fake.advance(3_600_000)),
  now: Effect.sync(() => DateTime.makeUnsafe(fake.now())),
  excludeTestServices: true
})

const dispose = async (...servers: ReadonlyArray<AsyncDisposable>): Promise<void> => {
  for (const server of servers) await server[Symbol.asyncDispose]()
}
