import { describe, expect, it } from "@effect/vitest"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const owner = AccountId.make(1)
const mate = AccountId.make(2)
const event = { uuid: CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a"), accountId: owner }
const other = { ...event, uuid: CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6b") }

const withSecret = (secret: string) =>
  Layer.fresh(CalendarLinks.layer).pipe(
    Layer.provide([
      Crypto.layerWebCrypto,
      Layer.mock(InstallationStore, { secret: () => Effect.succeed(Redacted.make(secret)) })
    ])
  )

describe("CalendarLinks", () => {
  it.effect("a link has the path of D-ICS-1 and a signature that is valid for its event only", () =>
    Effect.gen(function* () {
      const links = yield* CalendarLinks
      const url = yield* links.icsUrl(event, owner)
      expect(url).toMatch(
        /^\/api\/v1\/calendar\/events\/0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a\/ics\?signature=[\w-]{43}$/
      )
      const signature = signatureOf(url)
      expect(yield* links.readerOf(event, signature)).toEqual(Option.some(owner))
      expect(yield* links.readerOf(other, signature)).toEqual(Option.none())
    }).pipe(Effect.provide(withSecret("secret")))
  )

  it.effect("the signature of a team mate's link is valid only with the id of the account it was made for", () =>
    Effect.gen(function* () {
      const links = yield* CalendarLinks
      const signature = signatureOf(yield* links.icsUrl(event, mate))
      expect(yield* links.readerOf(event, signature)).toEqual(Option.some(mate))
      const byOthers = [signature.replace("2.", "1."), signature.replace("2.", "3."), signature.replace("2.", "")]
      for (const wrong of [...byOthers, "2.", "2.x", `0${signature}`, `${"9".repeat(16)}.x`, `2.${signature}`]) {
        expect(yield* links.readerOf(event, wrong)).toEqual(Option.none())
      }
    }).pipe(Effect.provide(withSecret("secret")))
  )

  it.effect("a signature that is changed, shortened or extended is rejected", () =>
    Effect.gen(function* () {
      const links = yield* CalendarLinks
      const signature = signatureOf(yield* links.icsUrl(event, owner))
      const last = signature.at(-1) === "A" ? "B" : "A"
      const wrong = ["", "x", `${signature}=`, signature.slice(0, -1), signature.slice(0, -1) + last, `${signature}A`]
      for (const text of wrong) expect(yield* links.readerOf(event, text)).toEqual(Option.none())
    }).pipe(Effect.provide(withSecret("secret")))
  )

  it.effect("a link of one installation is rejected at another", () =>
    Effect.gen(function* () {
      const theirs = yield* Effect.provide(Effect.flatMap(CalendarLinks, sign), withSecret("theirs"))
      const links = yield* CalendarLinks
      expect(yield* links.readerOf(event, theirs)).toEqual(Option.none())
    }).pipe(Effect.provide(withSecret("ours")))
  )

  it.effect("a second start of the service uses the stored secret", () =>
    Effect.gen(function* () {
      const build = Effect.flatMap(CalendarLinks, sign).pipe(
        Effect.provide(Layer.fresh(CalendarLinks.layer).pipe(Layer.provide(Crypto.layerWebCrypto)))
      )
      expect(yield* build).toBe(yield* build)
    }).pipe(Effect.provide(MemoryStorage.layer))
  )
})

const sign = (links: CalendarLinks["Service"]) => Effect.map(links.icsUrl(event, owner), signatureOf)

const signatureOf = (url: string): string => url.slice(url.indexOf("=") + 1)
