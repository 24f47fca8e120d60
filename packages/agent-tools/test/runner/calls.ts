import { AgentTools, type Answer, type Toolbox } from "@frontdesk/agent-tools"
import type { Account } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Call } from "@frontdesk/core/call/Call"
import { callContact } from "@frontdesk/core/call/QueuedCall"
import { CallStore } from "@frontdesk/core/call/CallStore"
import type { ContactWrite } from "@frontdesk/core/contact/ContactStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Crashes from "@frontdesk/testing/suite/Crashes"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"

/** Core over a storage in memory. */
export const core = Crashes.services(MemoryStorage.layer)

/** The tools over {@link core}. */
export const services = AgentTools.layer.pipe(Layer.provideMerge(core))

/** Defines a test over {@link services}. */
export const test = <A, E>(name: string, effect: Effect.Effect<A, E, Layer.Success<typeof services>>): void =>
  it.effect(name, () => Effect.provide(effect, services))

const decodeEvent = Schema.decodeUnknownSync(Schema.Struct({ event: Schema.Struct({ id: CalendarEventId }) }))

/** Returns the id of the calendar event of an answer. */
export const idOf = (answer: Answer.Answer): CalendarEventId => decodeEvent(answer).event.id

/** Runs an effect as an account. */
export const asAccount = (account: Account) => Effect.provideService(Principal, ofAccount(account))

/** The fields of an inbound call. */
export const inbound = { type: "inbound" } as const

/** The numbers of two persons, and that of the agent. */
export const numbers = {
  first: PhoneNumber.make("+12025550111"),
  second: PhoneNumber.make("+12025550222"),
  agent: PhoneNumber.make("+12025550100")
}

/** Friday 2026-05-29 at noon in New York. */
export const noon = DateTime.makeUnsafe("2026-05-29T16:00:00Z")

/** Returns a phone number of a contact to store. */
export const number = (phoneNumber: PhoneNumber) => ({
  id: null,
  phoneNumber,
  phoneType: null,
  primary: true,
  doNotCall: false
})

/** The fields of a contact. */
export const jo = {
  firstName: "Jo",
  lastName: "Doe",
  email: "jo@example.com",
  company: "Acme",
  customContext: { insurance: "A-17" },
  phoneNumbers: [number(numbers.first)]
}

const hours = [["09:00", "12:00"] as const, ["15:00", "16:30"] as const]

/** Makes an account in New York that works from Monday to Wednesday, with an agent. */
export const makeAccount = Effect.fnUntraced(function* (changed: Partial<Account["settings"]> = {}) {
  yield* TestClock.setTime(DateTime.toEpochMillis(noon))
  const { settings } = Samples.newAccount()
  const account = yield* Samples.makeAccount({
    settings: {
      ...settings,
      timeZone: TimeZone.make("America/New_York"),
      workingHours: { mon: hours, tue: hours, wed: hours },
      ...changed
    }
  })
  yield* (yield* AccountStore).changeFunds(account.id, { deposits: account.settings.pricePerMinute }, Samples.cause)
  const agent = yield* Samples.makeAgent(account.id, { phoneNumber: numbers.agent })
  return { account, agent }
})

/** Makes a running call of an account with a person, and returns its tools. */
export const makeCall = Effect.fnUntraced(function* (
  { account, agent }: Effect.Success<ReturnType<typeof makeAccount>>,
  fields: Partial<Omit<Call, "id">> = {},
  contact?: Partial<Omit<ContactWrite, "id">>
) {
  const stored = contact === undefined ? null : yield* Samples.makeContact(account.id, contact)
  const call = yield* Samples.makeCall(account.id, agent, {
    phoneNumber: numbers.first,
    status: "in_progress",
    contact: stored === null ? null : callContact(stored),
    ...fields
  })
  const { ofCall } = yield* AgentTools
  const { allowedTools } = agent
  const tools: Toolbox.Toolbox = ofCall({ call, allowedTools, principal: ofAccount(account) })
  return { call, contact: stored, tools }
})

/** Returns the call as it is stored. */
export const stored = Effect.fnUntraced(function* ({ id }: Call) {
  return Option.getOrThrow(yield* (yield* CallStore).findForUpdate({ id }))
})
