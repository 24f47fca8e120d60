import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"

/** Names who holds a time: one call, or one API key of the account. Others than the holder cannot book the time. */
export const SlotHolder = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,100}$/)).pipe(Schema.brand("SlotHolder"))

/** Names who holds a time. */
export type SlotHolder = typeof SlotHolder.Type

/** A time that is kept free for its holder until it is booked or the hold expires. */
export const SlotHold = Schema.Struct({
  accountId: AccountId,
  holder: SlotHolder,
  startTime: Schema.DateTimeUtc,
  endTime: Schema.DateTimeUtc,
  /** From this instant on, the hold has no effect. */
  expiresAt: Schema.DateTimeUtc
})

/** A time that is kept free for its holder. */
export type SlotHold = typeof SlotHold.Type
