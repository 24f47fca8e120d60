import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"
import { AccountId } from "./Account.ts"
import { Permission } from "./Permission.ts"

/** The value of a key that a program or a provisioning document supplies. An HTTP header can have all its characters. */
export const ApiKeyText = Schema.String.check(
  Schema.isPattern(/^[!-~]{32,255}$/, { expected: "32 to 255 visible ASCII characters" })
)

/** The API key to create. */
export const CreateApiKey = Schema.Struct({
  accountId: AccountId,
  name: Text.filled(200),
  permissions: Schema.Array(Permission),
  /** When the key expires. When absent, it never does. */
  expiresAt: Schema.optional(Instant),
  /** The value of the key. When absent, a value is generated. */
  value: Schema.optional(Schema.Redacted(ApiKeyText)),
  /** The mode of a generated value. The default is `live`. */
  mode: Schema.optional(Schema.Literals(["live", "test"]))
})

/** The API key to create. */
export type CreateApiKey = typeof CreateApiKey.Type

/** The grace time of a rotation: at most 100 years, so that the end of it is a valid time. */
const Grace = Schema.Duration.check(
  Schema.makeFilter(
    (grace: Duration.Duration) =>
      Duration.toMillis(grace) >= 0 && Duration.toMillis(grace) <= Duration.toMillis(Duration.days(36_500)),
    { description: "a duration of 0 to 100 years" }
  )
)

/** The options of a rotation. */
export const RotateApiKey = Schema.Struct({
  /** How long the old value works beside the new one. The default is 24 hours (D-KEY-7). */
  grace: Schema.optional(Grace),
  /** Rotates although the value from before the last rotation still works. That value stops working at once (D-KEY-8). */
  force: Schema.optional(Schema.Boolean)
})

/** The options of a rotation. */
export type RotateApiKey = typeof RotateApiKey.Type
