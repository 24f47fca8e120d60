import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { AgentId } from "@frontdesk/core/agent/Agent"
import type { Call } from "@frontdesk/core/call/Call"
import { Calls } from "@frontdesk/core/call/Calls"
import type { ToolCall } from "@frontdesk/core/call/ToolCall"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import type { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { makeAccount, makeAgent, makeContact, makeTeam, newNumber, newToolCall } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { money, Published, report, services } from "./caller.ts"

const as = (account: Account) =>
  Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })

/** Makes an account with a deposit of 10. */
const makeFunded = Effect.fnUntraced(function* (fields: Parameters<typeof makeAccount>[0] = {}) {
  const account = yield* makeAccount(fields)
  yield* (yield* AccountStore).changeFunds(account.id, { deposits: money(10) }, Samples.cause)
  return account
})

const start = Effect.fnUntraced(function* (account: Account, agentId: AgentId, contactId?: ContactId) {
  const calls = yield* Calls
  const input = { phoneNumber: "+12025550111", agentId, ...(contactId === undefined ? {} : { contactId }) }
  return (yield* calls.start(input).pipe(as(account))).call
})

describe("Calls: the team of a call", () => {
  it.effect("a call takes its agent's team only when the calling account is in that team (D-CALL-13)", () =>
    Effect.gen(function* () {
      const team = yield* makeTeam()
      const mate = yield* makeFunded({ teamIds: [team.id] })
      const partner = yield* makeFunded({ role: "partner" })
      const agent = yield* makeAgent(partner.id, { teamId: team.id })
      const guest = yield* makeFunded({ role: "client", partnerId: partner.id })
      const member = yield* makeFunded({ role: "client", partnerId: partner.id, teamIds: [team.id] })
      const calls = yield* Calls

      const own = yield* start(guest, agent.id)
      expect(own.team).toBeNull()
      for (const id of [String(own.id), own.callId]) {
        expect(yield* Effect.flip(calls.get(id).pipe(as(mate)))).toMatchObject({ _tag: "CallNotFound" })
        expect(yield* Effect.flip(calls.hangUp(id).pipe(as(mate)))).toMatchObject({ _tag: "CallNotFound" })
        expect(yield* calls.get(id).pipe(as(guest))).toMatchObject({ id: own.id })
      }
      const shared = yield* start(member, agent.id)
      expect(shared.team).toEqual(team)
      expect(yield* calls.get(shared.callId).pipe(as(mate))).toMatchObject({ id: shared.id })
    }).pipe(Effect.provide(services))
  )
})

describe("Calls: the contact of a call", () => {
  it.effect(
    "is shown as at the start of the call, by the call and its later webhook events, after it has left the team (D-CALL-14)",
    () =>
      Effect.gen(function* () {
        const contacts = yield* ContactStore
        const calls = yield* Calls
        const team = yield* makeTeam()
        const [owner, account] = [yield* makeFunded(), yield* makeFunded({ teamIds: [team.id] })]
        const agent = yield* makeAgent(account.id)
        const contact = yield* makeContact(owner.id, { firstName: "Jo", email: "jo@example.com", team })
        const call = yield* start(account, agent.id, contact.id)

        const answered = { _tag: "Answered", at: DateTime.makeUnsafe(5_000) } as const
        yield* contacts.update({ ...contact, firstName: "Joan", email: "joan@example.com" })
        yield* report(call, answered)
        yield* contacts.update({ ...contact, firstName: "Gone", email: "gone@example.com", team: null })
        const ended = {
          _tag: "Ended",
          status: "completed",
          answeredAt: DateTime.makeUnsafe(5_000),
          reason: "done"
        } as const
        yield* report(call, { ...ended, endedAt: DateTime.makeUnsafe(9_000) })

        const shown = { id: contact.id, name: "Jo", email: "jo@example.com", lastCallDate: null }
        expect((yield* calls.get(call.callId).pipe(as(account))).contact).toMatchObject(shown)
        const { events } = yield* Published
        expect(events.map(({ call, eventType }) => [eventType, call.contact?.name])).toEqual([
          ["call.started", "Joan"],
          ["call.ended", "Jo"]
        ])
      }).pipe(Effect.provide(services))
  )

  it.effect("is missing in agentVariables when the account of the call no longer sees the contact", () =>
    Effect.gen(function* () {
      const contacts = yield* ContactStore
      const calls = yield* Calls
      const team = yield* makeTeam()
      const [owner, account] = [yield* makeFunded(), yield* makeFunded({ teamIds: [team.id] })]
      const agent = yield* makeAgent(account.id)
      const contact = yield* makeContact(owner.id, { firstName: "Jo", customContext: { secret: "before" }, team })
      const { callId } = yield* start(account, agent.id, contact.id)
      const variables = Effect.map(calls.agentVariables(callId), (found) => JSON.stringify(Option.getOrThrow(found)))
      expect(yield* variables).toContain("before")

      yield* contacts.update({ ...contact, customContext: { secret: "after" }, team: null })
      expect(yield* variables).not.toMatch(/Jo|before|after/)
      yield* contacts.update({ ...contact, customContext: { secret: "after" } })
      expect(yield* variables).toContain("after")
      yield* (yield* AccountStore).update({ ...account, teamIds: [] })
      expect(yield* variables).not.toMatch(/Jo|before|after/)
    }).pipe(Effect.provide(services))
  )

  it.effect("is shown by a hang-up to a team mate as at the start of the call, and to the owner as it is now", () =>
    Effect.gen(function* () {
      const contacts = yield* ContactStore
      const calls = yield* Calls
      const team = yield* makeTeam()
      const account = yield* makeFunded({ teamIds: [team.id] })
      const mate = yield* makeFunded({ teamIds: [team.id] })
      const agent = yield* makeAgent(account.id, { teamId: team.id })
      const contact = yield* makeContact(account.id, { firstName: "Jo" })
      const call = yield* start(account, agent.id, contact.id)
      yield* contacts.update({ ...contact, firstName: "Joan" })
      expect((yield* calls.hangUp(call.callId).pipe(as(mate))).call.contact?.name).toBe("Jo")
      expect((yield* calls.hangUp(call.callId).pipe(as(account))).call.contact?.name).toBe("Joan")
    }).pipe(Effect.provide(services))
  )
})

describe("Calls: the do-not-call check at the start of a call", () => {
  it.effect("refuses a number that is flagged on any contact that the caller sees (D-DNC-5)", () =>
    Effect.gen(function* () {
      const team = yield* makeTeam()
      const [owner, account] = [yield* makeFunded(), yield* makeFunded({ teamIds: [team.id] })]
      const agent = yield* makeAgent(account.id)
      const phoneNumbers = [newNumber("+12025550111", { doNotCall: true })]
      const contact = yield* makeContact(owner.id, { team, phoneNumbers })
      for (const contactId of [undefined, contact.id]) {
        expect(yield* Effect.flip(start(account, agent.id, contactId))).toMatchObject({ _tag: "DoNotCall" })
      }
      const calls = yield* Calls
      const dryRun = calls.dryRun({ phoneNumber: "+12025550111", agentId: agent.id }).pipe(as(account))
      expect(yield* Effect.flip(dryRun)).toMatchObject({ _tag: "DoNotCall" })

      const contacts = yield* ContactStore
      yield* contacts.update({ ...contact, team: null })
      expect((yield* start(account, agent.id)).status).toBe("queued")
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "refuses a number on the account's list, also without a contact, until it is removed from the list (D-DNC-5)",
    () =>
      Effect.gen(function* () {
        const lists = yield* DoNotCallStore
        const [account, other] = [yield* makeFunded(), yield* makeFunded()]
        const number = PhoneNumber.make("+12025550111")
        const [agent, foreign] = [yield* makeAgent(account.id), yield* makeAgent(other.id)]
        yield* lists.add(account.id, [number])
        expect(yield* Effect.flip(start(account, agent.id))).toMatchObject({ _tag: "DoNotCall", phoneNumber: number })
        expect((yield* start(other, foreign.id)).status).toBe("queued")
        yield* lists.remove(account.id, [number])
        expect((yield* start(account, agent.id)).status).toBe("queued")
      }).pipe(Effect.provide(services))
  )

  it.effect("accepts a number that is flagged on a contact of an account that the caller does not see", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* makeFunded(), yield* makeAccount()]
      const agent = yield* makeAgent(account.id)
      yield* makeContact(other.id, { phoneNumbers: [newNumber("+12025550111", { doNotCall: true })] })
      expect((yield* start(account, agent.id)).status).toBe("queued")
    }).pipe(Effect.provide(services))
  )
})

describe("Calls: the tool calls of a call", () => {
  it.effect(
    "are shown by get to every caller that sees the call, and not by lists, starts and hang-ups (D-AGT-4)",
    () =>
      Effect.gen(function* () {
        const calls = yield* Calls
        const team = yield* makeTeam()
        const account = yield* makeFunded({ teamIds: [team.id] })
        const mate = yield* makeFunded({ teamIds: [team.id] })
        const stranger = yield* makeFunded()
        const agent = yield* makeAgent(account.id, { teamId: team.id })
        const started = yield* start(account, agent.id)
        const other = yield* start(account, agent.id)
        const made = [
          { tool: "find_slots", arguments: { from_date: "2099-03-02" }, answer: { say: "None is free." } },
          { tool: "book", arguments: null, answer: { say: "Booked.", event: { id: 7 } }, durationMillis: 35 }
        ]
        for (const fields of made) yield* insertToolCall(started, fields)
        yield* insertToolCall(other, { tool: "cancel" })

        const shown = [
          { name: "find_slots", arguments: made[0]?.arguments, answer: made[0]?.answer, durationMs: 20, at: toolsAt },
          { name: "book", arguments: null, answer: made[1]?.answer, durationMs: 35, at: toolsAt }
        ]
        for (const caller of [account, mate]) {
          for (const id of [String(started.id), started.callId]) {
            expect((yield* calls.get(id).pipe(as(caller))).toolCalls).toEqual(shown)
          }
          const { items } = yield* calls.list({}, { page: 1, limit: 10 }).pipe(as(caller))
          expect(items.map((call) => [call.id, "toolCalls" in call])).toEqual([
            [other.id, false],
            [started.id, false]
          ])
        }
        expect(yield* Effect.flip(calls.get(started.callId).pipe(as(stranger)))).toMatchObject({ _tag: "CallNotFound" })
        expect("toolCalls" in started).toBe(false)
        expect("toolCalls" in (yield* calls.hangUp(started.callId).pipe(as(mate))).call).toBe(false)
      }).pipe(Effect.provide(services))
  )

  it.effect("are the first 200 of the call (D-AGT-4)", () =>
    Effect.gen(function* () {
      const calls = yield* Calls
      const account = yield* makeFunded()
      const call = yield* start(account, (yield* makeAgent(account.id)).id)
      for (let n = 1; n <= 201; n++) yield* insertToolCall(call, { arguments: n })
      const { toolCalls } = yield* calls.get(call.callId).pipe(as(account))
      expect(toolCalls.map((one) => one.arguments)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    }).pipe(Effect.provide(services))
  )
})

const toolsAt = DateTime.makeUnsafe("2026-03-02T10:00:00.123Z")

/** Stores a tool call of a call. */
const insertToolCall = (call: Call, fields: Partial<ToolCall>) =>
  Effect.flatMap(ToolCallStore, (store) =>
    store.insert(newToolCall(call.accountId, { callId: call.id, at: toolsAt, ...fields }), "digest")
  )
