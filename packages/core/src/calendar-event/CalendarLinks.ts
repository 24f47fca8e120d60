import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as InstallationKey from "../access/InstallationKey.ts"
import type { InstallationStore } from "../access/InstallationStore.ts"
import { Crypto, timingSafeEqual } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { BasePath, RequestBasePath } from "../values/BasePath.ts"
import * as DatabaseId from "../values/DatabaseId.ts"
import * as Utf8 from "../values/Utf8.ts"
import { AccountId } from "../access/Account.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"

/** The fields of a calendar event on which its links depend. */
export type LinkedEvent = Pick<CalendarEvent, "uuid" | "accountId">

/**
 * Signs and verifies the links with which a calendar program fetches a calendar event without an API key (D-ICS-1).
 *
 * The owner's link is valid as long as the event exists, because the owner gives it to customers (D-ICS-6). The link of a
 * team mate contains the id of the team mate's account, and is valid only while that account sees the event (D-ICS-7).
 * This service does not check whether the account sees the event. The code that verifies a link must do so.
 */
export class CalendarLinks extends Context.Service<
  CalendarLinks,
  {
    /**
     * Returns the event's `ics_url` for the account that reads the event (C-2.5-9):
     * `/api/v1/calendar/events/{uuid}/ics?signature=…`, under the {@link BasePath}.
     */
    readonly icsUrl: (event: LinkedEvent, reader: AccountId) => Effect.Effect<string>
    /** Returns the account for which the link with this signature was made, or none for an invalid signature. */
    readonly readerOf: (event: LinkedEvent, signature: string) => Effect.Effect<Option.Option<AccountId>>
  }
>()("@frontdesk/core/calendar-event/CalendarLinks") {
  /**
   * Signs with HMAC-SHA256, with a secret of the installation. The first use creates the secret. Signatures are in
   * base64url. The layer fails with reason `corrupt` when the stored secret cannot be opened.
   */
  static readonly layer: Layer.Layer<CalendarLinks, StorageError, InstallationStore | Crypto> = Layer.effect(
    CalendarLinks,
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const basePath = yield* BasePath
      const key = yield* InstallationKey.make("ics")
      const sign = (text: string) => crypto.hmacSha256Base64Url(key, Utf8.encode(text))
      const ofOwner = ({ uuid }: LinkedEvent) => sign(`ics:owner:${uuid}`)
      const ofMate = ({ uuid }: LinkedEvent, mate: AccountId) =>
        Effect.map(sign(`ics:mate:${mate}:${uuid}`), (signature) => `${mate}.${signature}`)
      const signatureFor = (event: LinkedEvent, reader: AccountId) =>
        reader === event.accountId ? ofOwner(event) : ofMate(event, reader)
      return CalendarLinks.of({
        icsUrl: (event, reader) =>
          Effect.withFiber((fiber) => {
            const base = fiber.getRef(RequestBasePath) ?? basePath
            return Effect.mapEager(
              signatureFor(event, reader),
              (signature) => `${base}/api/v1/calendar/events/${event.uuid}/ics?signature=${signature}`
            )
          }),
        readerOf: Effect.fnUntraced(function* (event, signature) {
          const reader = Option.getOrElse(mateOf(signature), () => event.accountId)
          const expected = yield* signatureFor(event, reader)
          return timingSafeEqual(Utf8.encode(expected), Utf8.encode(signature)) ? Option.some(reader) : Option.none()
        })
      })
    })
  )
}

const isAccountId = Schema.is(AccountId)

/** Returns the account id before the dot of a team mate's signature. The signature of an owner has no dot. */
const mateOf = (signature: string): Option.Option<AccountId> => {
  const [digits = "", rest] = signature.split(".", 2)
  return Option.liftPredicate(isAccountId)(rest === undefined ? undefined : DatabaseId.parse(digits))
}
