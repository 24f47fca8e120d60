import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import type { TeamId } from "@frontdesk/core/access/Team"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import * as Page from "@frontdesk/core/values/Page"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import { CalendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { account, as, hour, inAccount, FakeAdapters, services } from "./services.ts"

const all = Page.request({})

const decodePayload = Schema.decodeUnknownSync(Schema.fromJsonString(CalendarPayload))

describe("CalendarEvents of teams", () => {
  it.effect(
    "only the owner can change the team of an event, and a team mate's PUT without a team keeps it (D-TEAM-7)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const [sales, support] = [yield* makeTeam("Sales"), yield* makeTeam("Support")]
        const owner = yield* account({}, [sales.id])
        const mate = yield* account({}, [sales.id, support.id])
        const { id } = yield* events.create({ ...hour(), teamId: sales.id }).pipe(as(owner))
        const moves = [
          events.patch({ id }, { teamId: support.id }),
          events.patch({ id }, { teamId: null }),
          events.put({ id }, { teamId: support.id })
        ]
        for (const move of moves) {
          expect(yield* Effect.flip(move.pipe(as(mate)))).toMatchObject({ _tag: "NotOwner", action: "change_team" })
        }
        expect((yield* events.put({ id }, { title: "New" }).pipe(as(mate))).team).toEqual(sales)
        expect((yield* events.patch({ id }, { teamId: sales.id }).pipe(as(mate))).team).toEqual(sales)
        expect((yield* events.put({ id }, {}).pipe(as(owner))).team).toBeNull()
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "an owner who has left the event's team and no longer sees its agent can write both ids unchanged (D-TEAM-8)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const [sales, support] = [yield* makeTeam("Sales"), yield* makeTeam("Support")]
        const [owner, mate] = [yield* account({}, [sales.id]), yield* account({}, [sales.id])]
        const agent = yield* makeAgent(mate.id, { teamId: sales.id })
        const linked = { teamId: sales.id, aiAgentId: agent.id }
        const made = yield* events.create({ ...hour(), ...linked }).pipe(as(owner))
        const left = { ...owner, teamIds: [] }
        const key = { id: made.id }
        const patched = yield* events.patch(key, { ...linked, title: "New" }).pipe(as(left))
        expect(patched).toMatchObject({ title: "New", team: sales, aiAgent: made.aiAgent })
        const put = yield* events.put(key, { ...linked, title: "Newer" }).pipe(as(left))
        expect(put).toMatchObject({ title: "Newer", team: sales, aiAgent: made.aiAgent })
        const other = events.patch(key, { teamId: support.id }).pipe(as(left))
        expect(yield* Effect.flip(other)).toMatchObject({ _tag: "TeamAccessDenied" })
        expect((yield* events.patch(key, { teamId: null }).pipe(as(left))).team).toBeNull()
        const back = events.patch(key, { teamId: sales.id }).pipe(as(left))
        expect(yield* Effect.flip(back)).toMatchObject({ _tag: "TeamAccessDenied" })
      }).pipe(Effect.provide(services))
  )

  it.effect("an archived agent is named by no further event, and an event that names it keeps it (D-AGENT-4)", () =>
    inAccount()(
      Effect.gen(function* () {
        const [events, agents] = [yield* CalendarEvents, yield* AgentStore]
        const { account } = yield* Principal
        const agent = yield* makeAgent(account.id)
        const aiAgentId = agent.id
        const made = yield* events.create({ ...hour(), aiAgentId })
        const other = yield* events.create(hour())
        yield* agents.update({ ...agent, archivedAt: agent.createdAt })
        const archived = { _tag: "AgentArchived", agentId: agent.id }
        for (const refused of [
          yield* Effect.flip(events.create({ ...hour(), aiAgentId })),
          yield* Effect.flip(events.put({ id: other.id }, { aiAgentId })),
          yield* Effect.flip(events.patch({ id: other.id }, { aiAgentId }))
        ]) {
          expect(refused).toMatchObject(archived)
        }
        const key = { id: made.id }
        expect(yield* events.get(key)).toEqual(made)
        expect((yield* events.patch(key, { title: "New", aiAgentId })).aiAgent).toEqual(made.aiAgent)
        expect((yield* events.put(key, { title: "Newer", aiAgentId })).aiAgent).toEqual(made.aiAgent)
        expect((yield* events.patch(key, { aiAgentId: null })).aiAgent).toBeNull()
        expect(yield* Effect.flip(events.patch(key, { aiAgentId }))).toMatchObject(archived)
      })
    )
  )

  it.effect("an event shows its agent as it was when it was linked, also in webhook events (D-CAL-17)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const agents = yield* AgentStore
      const team = yield* makeTeam()
      const [owner, member] = [yield* account({}, [team.id]), yield* account({}, [team.id])]
      const agent = yield* makeAgent(owner.id, { teamId: team.id })
      const linked = { id: agent.id, name: agent.name, assistantId: agent.assistantId }
      const { id } = yield* events.create({ ...hour(), aiAgentId: agent.id }).pipe(as(member))
      yield* agents.update({ ...agent, teamId: null, name: "Renamed" })
      expect((yield* events.get({ id }).pipe(as(member))).aiAgent).toEqual(linked)
      yield* events.patch({ id }, { title: "New" }).pipe(as(member))
      const { published } = yield* FakeAdapters
      const bodies = yield* Effect.forEach(published, ({ body }) => Effect.flatMap(DateTime.now, body))
      expect(bodies.map((body) => decodePayload(Utf8.decode(body)).calendarEvent.aiAgent)).toEqual([linked, linked])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "an event is visible to its owner and its team; another account finds neither it nor its team and agent",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const team = yield* makeTeam()
        const [owner, member, stranger] = yield* Effect.all([account({}, [team.id]), account({}, [team.id]), account()])
        const agent = yield* makeAgent(owner.id)
        const made = yield* events.create({ ...hour(), aiAgentId: agent.id, teamId: team.id }).pipe(as(owner))
        expect(made).toMatchObject({
          team,
          aiAgent: { id: agent.id, name: agent.name, assistantId: agent.assistantId }
        })
        expect(yield* events.get({ id: made.id }).pipe(as(member))).toEqual(made)
        expect((yield* events.list({}, all).pipe(as(stranger))).count).toBe(0)
        const key = { id: made.id }
        const hidden = [
          Effect.asVoid(events.get(key)),
          Effect.asVoid(events.put({ uuid: made.uuid }, {})),
          Effect.asVoid(events.patch(key, {})),
          Effect.asVoid(events.cancel(key, {})),
          Effect.asVoid(events.ics(key))
        ]
        for (const method of hidden) {
          expect((yield* Effect.flip(as(stranger)(method)))._tag).toBe("CalendarEventNotFound")
        }
        const foreign = events.create({ ...hour(), teamId: team.id }).pipe(as(stranger))
        expect(yield* Effect.flip(foreign)).toMatchObject({ _tag: "TeamAccessDenied" })
        const unreachable = events.create({ ...hour(), aiAgentId: agent.id }).pipe(as(stranger))
        expect(yield* Effect.flip(unreachable)).toMatchObject({ _tag: "AgentNotFound" })
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "a team mate's link is valid while the team mate sees the event, and the owner's link is always valid",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const accounts = yield* AccountStore
        const links = yield* CalendarLinks
        const [sales, support] = [yield* makeTeam(), yield* makeTeam()]
        const [owner, mate] = [yield* account({}, [sales.id, support.id]), yield* account({}, [sales.id])]
        const made = yield* events.create({ ...hour(), teamId: sales.id }).pipe(as(owner))
        const signatureFor = (reader: Account) =>
          Effect.map(links.icsUrl(made, reader.id), (url) => url.slice(url.indexOf("=") + 1))
        const opens = Effect.fnUntraced(function* (reader: Account) {
          return Result.isSuccess(yield* Effect.result(events.icsBySignature(made.uuid, yield* signatureFor(reader))))
        })
        const move = (teamId: TeamId | null) => events.patch({ id: made.id }, { teamId }).pipe(as(owner))
        expect([yield* opens(owner), yield* opens(mate)]).toEqual([true, true])
        yield* accounts.update({ ...mate, teamIds: [support.id] })
        expect([yield* opens(owner), yield* opens(mate)]).toEqual([true, false])
        yield* move(support.id)
        expect([yield* opens(owner), yield* opens(mate)]).toEqual([true, true])
        yield* move(null)
        expect([yield* opens(owner), yield* opens(mate)]).toEqual([true, false])
        const stranger = yield* account()
        expect(yield* opens(stranger)).toBe(false)
      }).pipe(inAccount())
  )

  it.effect(
    "reject_conflicts has no effect in a team mate's body, which must not reveal when the owner is busy (D-CAL-10)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const team = yield* makeTeam()
        const [owner, mate] = [yield* account({}, [team.id]), yield* account({}, [team.id])]
        yield* events.create(hour("10:00")).pipe(as(owner))
        const { id } = yield* events.create({ ...hour("12:00"), teamId: team.id }).pipe(as(owner))
        const move = (time: string) => events.patch({ id }, { ...hour(time), rejectConflicts: true })
        for (const time of ["10:00", "14:00"]) {
          expect((yield* move(time).pipe(as(mate))).startTime).toEqual(
            (yield* events.get({ id }).pipe(as(owner))).startTime
          )
        }
        expect((yield* Effect.flip(move("10:00").pipe(as(owner))))._tag).toBe("SlotUnavailable")
      }).pipe(Effect.provide(services))
  )
})
