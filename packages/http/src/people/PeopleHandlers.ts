import { Principal } from "@frontdesk/core/access/Principal"
import { CurrentDashboardSite, signInPath } from "@frontdesk/core/people/DashboardSite"
import { Members } from "@frontdesk/core/people/Members"
import { Sessions } from "@frontdesk/core/people/Sessions"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { CallerApi, MemberApi, SessionApi, SignInLinkApi } from "./PeopleApi.ts"
import { callerView, memberView, sessionView, signInLinkView } from "./PeopleView.ts"

/** Makes the handlers of {@link MemberApi}. */
export const memberHandlers = Effect.gen(function* () {
  const members = yield* Members
  const handlers: GroupHandlers<typeof MemberApi> = {
    list: () => Effect.map(members.list, (all) => ({ count: all.length, members: all.map(memberView) })),
    get: ({ params }) => Effect.map(members.get(params.memberId), memberView),
    create: ({ payload }) =>
      Effect.map(members.create(payload), (member) => ({
        ...memberView(member),
        message: payload.sendLink === true ? "Member created. A sign-in link is mailed" : "Member created"
      })),
    patch: ({ params, payload }) =>
      Effect.map(members.patch(params.memberId, payload), (member) => ({
        ...memberView(member),
        message: "Member updated"
      })),
    delete: ({ params }) => Effect.as(members.delete(params.memberId), { message: "Member removed" })
  }
  return handlers
})

/** Makes the handlers of {@link SessionApi}. */
export const sessionHandlers = Effect.gen(function* () {
  const sessions = yield* Sessions
  const handlers: GroupHandlers<typeof SessionApi> = {
    list: Effect.fnUntraced(function* ({ query }) {
      const principal = yield* Principal
      const page = yield* sessions.list(query)
      return { ...pageView(page), sessions: page.items.map((session) => sessionView(session, principal)) }
    }),
    delete: ({ params }) => Effect.as(sessions.delete(params.sessionId), { message: "Session ended" }),
    deleteAll: ({ payload }) =>
      Effect.map(sessions.deleteAll(payload), (deleted) => ({ deleted, message: "Sessions ended" }))
  }
  return handlers
})

/** Makes the handlers of {@link SignInLinkApi}. `mount` is the path of the dashboard, if this server has one. */
export const signInLinkHandlers = Effect.fnUntraced(function* (mount: string) {
  const links = yield* SignInLinks
  const site = yield* CurrentDashboardSite
  const base = site === null ? mount : site.url
  const handlers: GroupHandlers<typeof SignInLinkApi> = {
    list: () => Effect.map(links.list, (all) => ({ count: all.length, links: all.map(signInLinkView) })),
    create: ({ payload }) =>
      Effect.map(links.create(payload), ({ link, token }) => ({
        ...signInLinkView(link),
        url: `${base}${signInPath(Redacted.value(token))}`,
        message: "Sign-in link created. It works once, and is not shown again"
      })),
    delete: ({ params }) => Effect.as(links.delete(params.linkId), { message: "Sign-in link deleted" })
  }
  return handlers
})

/** Makes the handlers of {@link CallerApi}. */
export const callerHandlers = Effect.gen(function* () {
  const sessions = yield* Sessions
  const handlers: GroupHandlers<typeof CallerApi> = {
    get: () => Effect.map(Principal, callerView),
    sessions: Effect.fnUntraced(function* () {
      const principal = yield* Principal
      const own = yield* sessions.own
      return { count: own.length, sessions: own.map((session) => sessionView(session, principal)) }
    })
  }
  return handlers
})
