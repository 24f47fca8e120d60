import type { InboundDecision, StartCall } from "@frontdesk/core/call/CallProvider"
import { baseOf } from "@frontdesk/core/values/BasePath"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { refName } from "../request/Reference.ts"

/**
 * How Vapi proves that it has sent a message. The secret must have at least 16 characters. With a shorter one the layer
 * fails.
 */
export type Authentication =
  | {
      /** The message has the secret itself, in `X-Vapi-Secret` or as a bearer token. Vapi receives it with every call. */
      readonly _tag: "Secret"
      readonly secret: Redacted.Redacted<string>
    }
  | {
      /** The message has a signature over body and time. A custom credential of Vapi with the plan `hmac` makes it. */
      readonly _tag: "Hmac"
      readonly secret: Redacted.Redacted<string>
      /** The id of the credential at Vapi. */
      readonly credentialId: string
      readonly algorithm?: "sha1" | "sha256" | "sha512" | undefined
      readonly encoding?: "hex" | "base64" | undefined
      /** The text before the signature in its header, for example `sha256=`. */
      readonly prefix?: string | undefined
      /** The header of the signature, in lower case. Default: `x-signature`. */
      readonly signatureHeader?: string | undefined
      /** The header of the timestamp, in lower case. Default: `x-timestamp`. */
      readonly timestampHeader?: string | undefined
      readonly isSecretBase64?: boolean | undefined
    }

/** Options of Vapi. */
export interface Options {
  /** The private key of the organization. */
  readonly apiKey: Redacted.Redacted<string>
  /** The id of a phone number at Vapi: one for all calls, or one for each agent's number in E.164 form. */
  readonly phoneNumberId: string | Readonly<Record<string, string>>
  readonly authentication: Authentication
  /** The URL under which Vapi reaches this server. */
  readonly publicUrl: URL
  /** The URL of Vapi's API. Default: `https://api.vapi.ai`. */
  readonly baseUrl?: URL | undefined
  /** The timeout of one request. Default: 10 seconds. A start has twice this time. */
  readonly timeout?: Duration.Input | undefined
}

/** The maximum length of a customer's `externalId` at Vapi. */
const maxExternalIdLength = 40

/** Returns the id at Vapi of the number that a call is made from, or undefined when the options have none. */
export const phoneNumberIdOf = ({ phoneNumberId }: Options, from: string): string | undefined =>
  typeof phoneNumberId === "string"
    ? phoneNumberId
    : Object.hasOwn(phoneNumberId, from)
      ? phoneNumberId[from]
      : undefined

type Accepted = Extract<InboundDecision, { readonly _tag: "Accepted" }>

/** Returns the number that has an id at Vapi, or undefined when the options do not name it. */
export const phoneNumberOf = ({ phoneNumberId }: Pick<Options, "phoneNumberId">, id: string): string | undefined =>
  typeof phoneNumberId === "string"
    ? undefined
    : Object.entries(phoneNumberId).find(([, knownId]) => knownId === id)?.[0]

/** The messages that this server reads. Vapi sends no others, so that it does not have to answer those that it cannot. */
const serverMessages = ["status-update", "end-of-call-report", "tool-calls"]

/**
 * Returns the overrides of the assistant with which its messages about a call come to this server. Tools of the assistant that
 * name no server of their own are called there too.
 */
const overridesOf = (
  { authentication, publicUrl }: Pick<Options, "authentication" | "publicUrl">,
  { maxDurationSeconds, ref, variables }: Pick<Accepted, "maxDurationSeconds" | "ref" | "variables">
) => ({
  variableValues: variables,
  metadata: ref === null ? {} : { [refName]: ref },
  maxDurationSeconds,
  serverMessages,
  server: {
    url: `${baseOf(publicUrl)}/providers/vapi/messages`,
    timeoutSeconds: 20,
    backoffPlan: { type: "exponential", maxRetries: 5, baseDelaySeconds: 1 },
    ...(authentication._tag === "Hmac"
      ? { credentialId: authentication.credentialId }
      : { headers: { "X-Vapi-Secret": Redacted.value(authentication.secret) } })
  }
})

/** Returns the body that creates a call (docs.vapi.ai, `POST /call`). */
export const startBody = (options: Options, command: StartCall, phoneNumberId: string) => ({
  assistantId: command.assistantId,
  phoneNumberId,
  customer: {
    number: command.to,
    ...(command.ref.length <= maxExternalIdLength ? { externalId: command.ref } : {})
  },
  assistantOverrides: overridesOf(options, command)
})

/** Returns the body that answers an `assistant-request` (docs.vapi.ai/server-url/events). */
export const assistantBody = (options: Pick<Options, "authentication" | "publicUrl">, decision: Accepted) => ({
  assistantId: decision.assistantId,
  assistantOverrides: overridesOf(options, decision)
})
