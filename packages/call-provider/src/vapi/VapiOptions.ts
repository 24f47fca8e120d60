import type { StartCall } from "@frontdesk/core/call/CallProvider"
import { baseOf } from "@frontdesk/core/values/PublicUrl"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"

/**
 * How Vapi proves that a message is its own. The secret has 16 characters or more; with a shorter one no layer is made.
 */
export type Authentication =
  | {
      /** The secret itself, in `X-Vapi-Secret` or as a bearer token. It is given to Vapi with every call. */
      readonly _tag: "Secret"
      readonly secret: Redacted.Redacted<string>
    }
  | {
      /** A signature over the body and the time, as a custom credential of Vapi with the plan `hmac` makes it. */
      readonly _tag: "Hmac"
      readonly secret: Redacted.Redacted<string>
      /** The id of that credential. */
      readonly credentialId: string
      readonly algorithm?: "sha1" | "sha256" | "sha512" | undefined
      readonly encoding?: "hex" | "base64" | undefined
      /** Stands before the signature in its header, for example `sha256=`. */
      readonly prefix?: string | undefined
      /** `x-signature` unless given; in lower case. */
      readonly signatureHeader?: string | undefined
      /** `x-timestamp` unless given; in lower case. */
      readonly timestampHeader?: string | undefined
      readonly isSecretBase64?: boolean | undefined
    }

/** How Vapi is used. */
export interface Options {
  /** The private key of the organization. */
  readonly apiKey: Redacted.Redacted<string>
  /** The id that a number has with Vapi: one for all calls, or by the agent's number in E.164 form. */
  readonly phoneNumberId: string | Readonly<Record<string, string>>
  readonly authentication: Authentication
  /** The address under which Vapi reaches this server. */
  readonly publicUrl: URL
  /** Where Vapi's API is; `https://api.vapi.ai` unless given. */
  readonly baseUrl?: URL | undefined
  /** How long one answer may take; 10 seconds unless given. A start waits twice as long. */
  readonly timeout?: Duration.Input | undefined
}

/** The name under which a call's metadata hold our reference. */
export const refName = "frontdesk_ref"

/** The longest `externalId` of a customer. */
const maxExternalId = 40

/** The id of the number a call is made from; undefined when there is none for it. */
export const phoneNumberIdOf = ({ phoneNumberId }: Options, from: string): string | undefined =>
  typeof phoneNumberId === "string"
    ? phoneNumberId
    : Object.hasOwn(phoneNumberId, from)
      ? phoneNumberId[from]
      : undefined

/**
 * The body that asks for a call (docs.vapi.ai, `POST /call`).
 *
 * Of the messages of the call only those that are read here come here. The assistant's tools need servers of their own.
 */
export const startBody = (options: Options, command: StartCall, phoneNumberId: string) => {
  const { authentication, publicUrl } = options
  return {
    assistantId: command.assistantId,
    phoneNumberId,
    customer: {
      number: command.to,
      ...(command.ref.length <= maxExternalId ? { externalId: command.ref } : {})
    },
    assistantOverrides: {
      variableValues: command.variables,
      metadata: { [refName]: command.ref },
      maxDurationSeconds: command.maxDurationSeconds,
      serverMessages: ["status-update", "end-of-call-report"],
      server: {
        url: `${baseOf(publicUrl)}/providers/vapi/messages`,
        timeoutSeconds: 20,
        backoffPlan: { type: "exponential", maxRetries: 5, baseDelaySeconds: 1 },
        ...(authentication._tag === "Hmac"
          ? { credentialId: authentication.credentialId }
          : { headers: { "X-Vapi-Secret": Redacted.value(authentication.secret) } })
      }
    }
  }
}
