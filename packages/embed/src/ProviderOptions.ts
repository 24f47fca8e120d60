import { credentialId, phoneNumberId, webhookSecret } from "@frontdesk/call-provider/VapiSettings"
import { accountSid, inboundUrl, keySid } from "@frontdesk/call-provider/TwilioSettings"
import * as Keyring from "@frontdesk/core/crypto/Keyring"
import { isOrigin } from "@frontdesk/http/request/Origin"
import { readable, type TextReader } from "@frontdesk/core/values/TextReader"
import { SmtpMailer } from "@frontdesk/email"
import { PublicHttpClient } from "@frontdesk/webhook-sender"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Returns the schema of secrets that a reader can read. */
const secret = (reader: TextReader<unknown>) => Schema.Redacted(readable(reader), { disallowJsonEncode: true })

const nonEmpty: TextReader<string> = (text) =>
  text === "" ? Result.fail("a text that is not empty") : Result.succeed(text)

/** A secret that is not empty. */
export const Secret = secret(nonEmpty)

/** A URL of the web. */
export const WebUrl = readable((text) => {
  const url = URL.parse(text)
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return isWeb && url.hash === ""
    ? Result.succeed(url)
    : Result.fail("a URL that begins with https:// or http://, without credentials or fragment")
})

const Twilio = Schema.Struct({
  accountSid: readable(accountSid),
  authToken: Secret,
  apiKey: Schema.optional(Schema.Struct({ sid: readable(keySid), secret: Secret })),
  voiceUrl: WebUrl,
  inboundUrl: Schema.optional(Schema.Union([Schema.Record(Schema.String, readable(inboundUrl)), readable(inboundUrl)])),
  publicUrl: WebUrl,
  isRecording: Schema.optional(Schema.Boolean),
  isDetectingMachines: Schema.optional(Schema.Boolean),
  baseUrl: Schema.optional(WebUrl)
})

const Vapi = Schema.Struct({
  apiKey: Secret,
  phoneNumberId: Schema.Union([Schema.Record(Schema.String, readable(phoneNumberId)), readable(phoneNumberId)]),
  webhookSecret: secret(webhookSecret),
  webhookCredentialId: Schema.optional(readable(credentialId)),
  publicUrl: WebUrl,
  baseUrl: Schema.optional(WebUrl)
})

const Retell = Schema.Struct({
  apiKey: Secret,
  webhookKey: Schema.optional(Secret),
  publicUrl: WebUrl,
  baseUrl: Schema.optional(WebUrl)
})

/** Checks that a value has exactly one of its fields. */
export const onlyOne = (expected: string) =>
  Schema.makeFilter<object>((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    expected
  })

/** The options of the call provider. */
export const CallProvider = Schema.Struct({
  simulated: Schema.optional(
    Schema.Struct({ pace: Schema.optional(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))) })
  ),
  twilio: Schema.optional(Twilio),
  vapi: Schema.optional(Vapi),
  retell: Schema.optional(Retell)
}).check(onlyOne("one of { simulated: {} }, { twilio: { ... } }, { vapi: { ... } } and { retell: { ... } }"))

/** The options of mail. */
export const Mail = Schema.Struct({
  url: secret(SmtpMailer.urlReader),
  from: readable(SmtpMailer.fromReader),
  replyTo: Schema.optional(readable(SmtpMailer.replyToReader)),
  allowInsecure: Schema.optional(Schema.Boolean)
})

const oauthClient = {
  clientId: readable(nonEmpty),
  clientSecret: Secret,
  baseUrl: Schema.optional(WebUrl)
}

const origin: TextReader<string> = (text) =>
  isOrigin(text) ? Result.succeed(text) : Result.fail("an origin such as https://app.example.com")

/** The options of external calendars. */
export const Calendars = Schema.Struct({
  publicUrl: Schema.optional(WebUrl),
  returnOrigins: Schema.optional(Schema.Array(readable(origin))),
  caldav: Schema.optional(
    Schema.Struct({ privateHosts: Schema.optional(Schema.Array(readable(PublicHttpClient.privateHost))) })
  ),
  google: Schema.optional(Schema.Struct(oauthClient)),
  outlook: Schema.optional(Schema.Struct({ ...oauthClient, tenant: Schema.optional(readable(nonEmpty)) }))
})

/** The keys that seal stored secrets. */
export const SecretKeys = secret(Keyring.parse)

/** Returns the keyring of the option. */
export const keyringOf = (keys: typeof SecretKeys.Type | undefined): Keyring.Keyring =>
  keys === undefined ? Keyring.empty : Result.getOrThrow(Keyring.parse(Redacted.value(keys)))
