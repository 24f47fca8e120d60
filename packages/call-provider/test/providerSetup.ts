import * as http from "node:http"
import { RetellCallProvider, TwilioCallProvider, VapiCallProvider } from "@frontdesk/call-provider"
import type { Callback, StartCall } from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as FakeRetell from "@frontdesk/provider-fakes/retell/FakeRetell"
import * as FakeTwilio from "@frontdesk/provider-fakes/twilio/FakeTwilio"
import * as FakeVapi from "@frontdesk/provider-fakes/vapi/FakeVapi"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"

/** A server that receives the callbacks of a provider. */
export interface CallbackServer extends AsyncDisposable {
  readonly url: URL
  /** All callbacks so far, oldest first. */
  readonly callbacks: ReadonlyArray<Callback>
  /** Sets the function that handles callbacks from now on, and returns the status of the answer. */
  readonly answer: (answer: (callback: Callback) => Promise<number>) => void
}

/** Starts a server that records callbacks. It answers 204 until `answer` is called. */
export const openCallbackServer = async (): Promise<CallbackServer> => {
  const callbacks: Array<Callback> = []
  let answer = async (_callback: Callback) => 204
  const server = http.createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    request.on("end", () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, value?.toString()] as const)
      const callback: Callback = {
        method: request.method ?? "",
        url: `http://127.0.0.1:${port}${request.url ?? ""}`,
        headers: Object.fromEntries(headers),
        body: Buffer.concat(chunks)
      }
      callbacks.push(callback)
      void answer(callback).then((status) => response.writeHead(status).end())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    callbacks,
    answer: (next) => void (answer = next),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const authToken = FakeTwilio.defaults.authToken

export const twilioOptions = (
  baseUrl: string,
  publicUrl = new URL("http://127.0.0.1:9")
): TwilioCallProvider.Options => ({
  accountSid: FakeTwilio.defaults.accountSid,
  authToken: Redacted.make(authToken),
  voiceUrl: new URL("https://voice.example/talk?tenant=1"),
  baseUrl: new URL(baseUrl),
  publicUrl,
  isRecording: true
})

export const twilio = (...given: Parameters<typeof twilioOptions>) =>
  TwilioCallProvider.layer(twilioOptions(...given)).pipe(Layer.provide(FetchHttpClient.layer))

export const vapiSecret = "the-secret-of-the-messages"

export const vapiOptions = (baseUrl: string, publicUrl = new URL("http://127.0.0.1:9")): VapiCallProvider.Options => ({
  apiKey: Redacted.make(FakeVapi.defaults.apiKey),
  phoneNumberId: FakeVapi.defaults.phoneNumberIds[0] ?? "",
  authentication: { _tag: "Secret", secret: Redacted.make(vapiSecret) },
  baseUrl: new URL(baseUrl),
  publicUrl
})

export const vapi = (...given: Parameters<typeof vapiOptions>) =>
  VapiCallProvider.layer(vapiOptions(...given)).pipe(Layer.provide(FetchHttpClient.layer))

export const retellOptions = (
  baseUrl: string,
  publicUrl = new URL("http://127.0.0.1:9")
): RetellCallProvider.Options => ({
  apiKey: Redacted.make(FakeRetell.defaults.apiKey),
  baseUrl: new URL(baseUrl),
  publicUrl
})

export const retell = (...given: Parameters<typeof retellOptions>) =>
  RetellCallProvider.layer(retellOptions(...given)).pipe(Layer.provide(FetchHttpClient.layer))

export const command = (to: string, more: Partial<StartCall> = {}): StartCall => ({
  ref: "call_0123456789abcdef0123456789abcdef",
  to: PhoneNumber.make(to),
  from: PhoneNumber.make("+12025550100"),
  assistantId: "asst_ada",
  variables: { name: "Zoë", seats: 5, isNew: true },
  maxDurationSeconds: 600,
  ...more
})

/** Generates a text of characters from all planes of Unicode. */
export const anyText = (options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff })), options)
    .map((points) => String.fromCodePoint(...points).toWellFormed())
