import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { DateTimeText } from "../values/DateTimeText.ts"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"
import { AccountId } from "./Account.ts"
import { Permission } from "./Permission.ts"

/** The value of a key that a program or a provisioning document supplies. An HTTP header can have all its characters. */
export const ApiKeyText = Schema.String.check(
  Schema.isPattern(/^[!-~]{32,255}$/, { expected: "32 to 255 visible ASCII characters" })
)

const KeyMode = Schema.Literals(["live", "test"])

const named = {
  name: Text.filled(200),
  /** A permission that is listed twice counts once. */
  permissions: Schema.Array(Permission).check(Schema.isMaxLength(100))
}

/** The API key to create. */
export const CreateApiKey = Schema.Struct({
  accountId: AccountId,
  ...named,
  /** When the key expires. When absent, it never does. */
  expiresAt: Schema.optional(Instant),
  /** The value of the key. When absent, a value is generated. */
  value: Schema.optional(Schema.Redacted(ApiKeyText)),
  /** The mode of a generated value. The default is `live`. */
  mode: Schema.optional(KeyMode)
})

/** The API key to create. */
export type CreateApiKey = typeof CreateApiKey.Type

/**
 * The API key that a caller creates for its account. Null counts as absent. A time without an offset is in the time zone
 * of the account.
 */
export const CreateOwnApiKey = Schema.Struct({
  ...named,
  /** When the key expires. When absent, it never does. */
  expiresAt: Schema.optionalKey(Schema.NullOr(DateTimeText)),
  /** The value of the key. When absent, a value is generated. */
  value: Schema.optionalKey(Schema.Redacted(ApiKeyText)),
  /** The mode of a generated value. The default is `live`. */
  mode: Schema.optionalKey(Schema.NullOr(KeyMode))
})

/** The API key that a caller creates for its account. */
export type CreateOwnApiKey = typeof CreateOwnApiKey.Type

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
