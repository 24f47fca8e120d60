// The core inside a program without HTTP: it merges a contact, validates variables, finds slots and signs a payload.
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import * as Slots from "@frontdesk/core/availability/Slots"
import { defaultHours } from "@frontdesk/core/values/WorkingHours"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as TemplateSources from "@frontdesk/core/call/TemplateSources"
import * as Template from "@frontdesk/core/variable/Template"
import * as VariableValue from "@frontdesk/core/variable/VariableValue"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as TimeZone from "@frontdesk/core/values/TimeZone"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

// A service with a storage: the rules of the contract merge two changes of a contact.
const mergeContact = Effect.gen(function* () {
  const contacts = yield* Contacts
  const created = yield* contacts.create({
    firstName: "Jo",
    phoneNumbers: [{ phoneNumber: PhoneNumber.make("+12025550111") }],
    customContext: { plan: "basic", seats: 3 }
  })
  const patched = yield* contacts.patch(created.id, { lastName: "Doe", customContext: { plan: "pro" } })
  yield* Console.log("contact", patched.firstName, patched.lastName, JSON.stringify(patched.customContext))
  const replaced = yield* contacts.put(created.id, { firstName: "Joanna" })
  yield* Console.log("replaced", replaced.firstName, replaced.lastName, replaced.phoneNumbers.length)
  return patched
})

// A pure rule needs no Effect, no storage and no clock.
const validateVariables = Effect.gen(function* () {
  const seats = VariableValue.validate("number", null, "42")
  const consent = VariableValue.validate("boolean", null, "yes")
  const plan = VariableValue.validate("select", ["basic", "pro"], "gold")
  yield* Console.log("seats", Result.getOrNull(seats), "consent", Result.getOrNull(consent))
  yield* Console.log("plan", Result.isFailure(plan) ? "refused" : "accepted")
})

const findSlots = Effect.gen(function* () {
  const slots = Slots.find({
    timeZone: TimeZone.TimeZone.make("America/New_York"),
    startDate: CalendarDate.make("2026-03-09"),
    endDate: CalendarDate.make("2026-03-09"),
    workingHours: defaultHours,
    dateOverrides: {},
    // Busy from 09:00 to 14:00 in New York.
    busy: [{ start: 1_773_061_200_000, end: 1_773_079_200_000 }],
    duration: 60
  })
  const zone = TimeZone.TimeZone.make("America/New_York")
  const starts = Result.getOrThrow(slots).map((slot) => TimeZone.formatOffset(slot.start, zone))
  yield* Console.log("free", starts.join(" "))
})

const signPayload = Effect.gen(function* () {
  const body = Utf8.encode('{"event_type":"calendar.created"}')
  const secret = Redacted.make("whsec_c2VjcmV0")
  const signature = yield* WebhookSignature.sign(body, secret)
  yield* Console.log("signature", signature, yield* WebhookSignature.verify(body, signature, secret))
})

const program = Effect.gen(function* () {
  const accounts = yield* Accounts
  const account = yield* accounts.create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings
  })
  // A program that embeds the core acts for an account directly, without an API key.
  const caller = yield* accounts.principal(account.id)
  const contact = yield* Effect.provideService(mergeContact, Principal, caller)
  const lookup = TemplateSources.lookup({ callVariables: { day: "Monday" }, contact, businessContext: {} })
  yield* Console.log(Result.getOrThrow(Template.render("Hello {{first_name}}, until {{day}}!", lookup)).text)
  yield* validateVariables
  yield* findSlots
  yield* signPayload
})

const services = Layer.mergeAll(Accounts.layer, Contacts.layer).pipe(
  Layer.provide(MemoryStorage.layer),
  Layer.merge(Crypto.layerWebCrypto)
)

await Effect.runPromise(Effect.provide(program, services))
