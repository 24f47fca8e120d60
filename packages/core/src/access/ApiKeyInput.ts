import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"
import { AccountId } from "./Account.ts"
import { Permission } from "./Permission.ts"

/** The value of a key that the caller supplies. It has only characters that a header can carry. */
export const ApiKeyText = Schema.String.check(
  Schema.isPattern(/^[!-~]{32,255}$/, { expected: "32 to 255 visible ASCII characters" })
)

/** A key that is to be made. */
export const CreateApiKey = Schema.Struct({
  accountId: AccountId,
  name: Text.filled(200),
  permissions: Schema.Array(Permission),
  /** The key stops working at this time; absent: never. */
  expiresAt: Schema.optional(Instant),
  /** The value, where one is given from outside; absent: one is made. */
  value: Schema.optional(Schema.Redacted(ApiKeyText)),
  /** Absent: `live`. */
  mode: Schema.optional(Schema.Literals(["live", "test"]))
})

/** A key that is to be made. */
export type CreateApiKey = typeof CreateApiKey.Type

/** For how long the value from before a rotation works: at most 100 years. */
const Grace = Schema.Duration.check(
  Schema.makeFilter(
    (grace: Duration.Duration) =>
      Duration.toMillis(grace) >= 0 && Duration.toMillis(grace) <= Duration.toMillis(Duration.days(36_500)),
    { description: "a duration of 0 to 100 years" }
  )
)

/** How a key is rotated. */
export const RotateApiKey = Schema.Struct({
  /** For how long the value from before works beside the new one; absent: 24 hours. */
  grace: Schema.optional(Grace),
  /** Rotates also while the value from before the last rotation works, which then ends at once. */
  force: Schema.optional(Schema.Boolean)
})

/** How a key is rotated. */
export type RotateApiKey = typeof RotateApiKey.Type
