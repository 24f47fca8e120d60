import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"
import { AccountId } from "../access/Account.ts"
import * as InstallationKey from "../access/InstallationKey.ts"
import type { InstallationStore } from "../access/InstallationStore.ts"
import { AgentId } from "../agent/Agent.ts"
import { isDuration, type Slot } from "../availability/Slots.ts"
import { Crypto, timingSafeEqual } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Bytes from "../values/Bytes.ts"
import * as Input from "../values/Input.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { InvalidSlotId } from "./BookingError.ts"

/** How long a slot id can be used. */
export const defaultTimeToLive: Duration.Duration = Duration.minutes(15)

/** The last second of the year 9999. Five bytes can write it. */
const maxSeconds = 253_402_300_799

/** For whom a slot is offered. Another account or agent cannot use the id. */
export const SlotOwner = Schema.Struct({
  accountId: AccountId,
  /** The agent of the call, or null for an MCP client without a call. */
  agentId: Schema.NullOr(AgentId)
})

/** For whom a slot is offered. */
export type SlotOwner = typeof SlotOwner.Type

/** A slot of 1 to 180 minutes that begins at a whole second, in epoch milliseconds. */
const WholeSlot = Schema.Struct({
  start: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxSeconds * 1_000 }), Schema.isMultipleOf(1_000)),
  end: Schema.Int
}).check(
  Schema.makeFilter(
    ({ end, start }) =>
      isDuration((end - start) / 60_000) || { path: ["end"], issue: "Expected a slot of 1 to 180 minutes" }
  )
)

const inputs: Input.Inputs<SlotIds["Service"]> = {
  make: [{ owner: SlotOwner }, { slot: WholeSlot }],
  read: [{ owner: SlotOwner }, { slotId: Schema.String }]
}

/** A slot that was offered. */
export interface OfferedSlot {
  readonly slot: Slot
  /** Whether the time has passed in which the id could be used. */
  readonly isExpired: boolean
}

/**
 * Makes and reads slot ids: short signed texts with which an agent books a slot that it was offered.
 *
 * A model that makes a text up, changes one, or uses that of another account or agent gets `InvalidSlotId`. The id does
 * not reserve the slot. Whether the slot is still free is checked when it is booked.
 */
export class SlotIds extends Context.Service<
  SlotIds,
  {
    /** Returns the id of a slot, 31 characters of base64url. It can be used for {@link defaultTimeToLive}. */
    readonly make: (owner: SlotOwner, slot: Slot) => Effect.Effect<string, ValidationError>
    /** Returns the slot of an id, also of an expired one, because the repeat of a booking gets the first answer. */
    readonly read: (owner: SlotOwner, slotId: string) => Effect.Effect<OfferedSlot, InvalidSlotId | ValidationError>
  }
>()("@frontdesk/core/booking/SlotIds") {
  /** Signs with HMAC-SHA256, cut to 96 bits, with a key of the installation. */
  static readonly layer: Layer.Layer<SlotIds, StorageError, InstallationStore | Crypto> = Layer.effect(
    SlotIds,
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const key = yield* InstallationKey.make("slots")

      /** Returns the tag that binds the bytes of a slot to its owner. */
      const tagOf = ({ accountId, agentId }: SlotOwner, bytes: Uint8Array) => {
        const owner = Utf8.encode(`slot:${accountId}:${agentId ?? ""}:`)
        return Effect.map(crypto.hmacSha256(key, Bytes.concat(owner, bytes)), (mac) => mac.subarray(0, tagLength))
      }

      return Input.service(SlotIds, inputs, {
        make: Effect.fnUntraced(function* (owner, slot) {
          const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(defaultTimeToLive)
          const bytes = write(slot, expiresAt)
          return Base64Url.encode(Bytes.concat(bytes, yield* tagOf(owner, bytes)))
        }),
        read: Effect.fnUntraced(function* (owner, slotId) {
          const id = slotId.length > maxText ? undefined : Result.getOrUndefined(Base64Url.decode(slotId))
          // The last character has bits that decoding ignores.
          if (id?.length !== idLength || Base64Url.encode(id) !== slotId) return yield* new InvalidSlotId()
          const bytes = id.subarray(0, slotLength)
          const { expiresAt, minutes, start } = parse(bytes)
          const isOurs = timingSafeEqual(yield* tagOf(owner, bytes), id.subarray(slotLength))
          if (!isOurs || !isDuration(minutes)) return yield* new InvalidSlotId()
          const isExpired = (yield* Clock.currentTimeMillis) >= expiresAt
          return { slot: { start, end: start + minutes * 60_000 }, isExpired }
        })
      })
    })
  )
}

/** The bytes of an instant in seconds, of the minutes of a slot, of a slot with its expiry, and of the tag. */
const instantLength = 5
const slotLength = 2 * instantLength + 1
const tagLength = 12
const idLength = slotLength + tagLength

const maxText = Math.ceil((idLength * 4) / 3)

/** Returns a slot and its expiry as bytes: two instants in seconds, and the minutes between start and end. */
const write = ({ end, start }: Slot, expiresAt: number): Uint8Array => {
  const bytes = new Uint8Array(slotLength)
  writeInstant(bytes, 0, start)
  writeInstant(bytes, instantLength, expiresAt)
  bytes[2 * instantLength] = (end - start) / 60_000
  return bytes
}

const parse = (bytes: Uint8Array) => ({
  start: readInstant(bytes, 0),
  expiresAt: readInstant(bytes, instantLength),
  minutes: bytes[2 * instantLength] ?? 0
})

const writeInstant = (bytes: Uint8Array, at: number, millis: number): void => {
  let rest = Math.ceil(millis / 1_000)
  for (let index = at + instantLength - 1; index >= at; index--) {
    bytes[index] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

const readInstant = (bytes: Uint8Array, at: number): number =>
  bytes.subarray(at, at + instantLength).reduce((seconds, byte) => seconds * 256 + byte, 0) * 1_000
