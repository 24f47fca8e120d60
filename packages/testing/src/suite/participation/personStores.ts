import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import * as Effect from "effect/Effect"
import * as People from "../People.ts"
import * as Samples from "../Samples.ts"
import { participation } from "./Participation.ts"

/** Before the rows of other tests, so that a sweep takes only those of its own test. */
const longAgo = Samples.later(-80_000)

const makeMember = Effect.gen(function* () {
  const account = yield* Samples.makeAccount()
  return yield* People.makeMember(account.id)
})

export const memberStore = participation(MemberStore, makeMember, {
  // Only another mail would show when the last one was requested.
  view: (members, { accountId }) => members.list(accountId),
  methods: {
    insert: (members, { accountId }) => members.insert(People.newMember(accountId)),
    find: "reads",
    list: "reads",
    listByEmail: "reads",
    update: (members, member) => members.update({ ...member, name: "Renamed" }),
    touch: (members, { accountId, id }) => members.touch(accountId, id, Samples.later(1)),
    beginMail: "unseen",
    delete: (members, { accountId, id }) => members.delete(accountId, id)
  }
})

export const signInLinkStore = participation(
  SignInLinkStore,
  Effect.gen(function* () {
    const member = yield* makeMember
    return yield* People.makeLink(member.accountId, { memberId: member.id, expiresAt: longAgo })
  }),
  {
    view: (links, { accountId }) => links.list(accountId, Samples.later(-90_000), 10),
    methods: {
      insert: (links, { accountId }) => links.insert(People.newLink(accountId)),
      findByDigest: "reads",
      list: "reads",
      count: "reads",
      delete: (links, { accountId, id }) => links.delete(accountId, id),
      keepNewest: (links, { accountId, memberId }) =>
        memberId === null ? Effect.void : links.keepNewest(accountId, memberId, 0, Samples.later(-90_000)),
      sweep: (links) => links.sweep(longAgo, Samples.rowLimit(1_000))
    }
  }
)

export const sessionStore = participation(
  SessionStore,
  Effect.gen(function* () {
    const account = yield* Samples.makeAccount()
    return yield* People.makeSession(account.id, { expiresAt: longAgo })
  }),
  {
    view: (sessions, { accountId }) => sessions.list(accountId, null, Samples.later(-90_000), { page: 1, limit: 10 }),
    methods: {
      insert: (sessions, { accountId }) => sessions.insert(People.newSession(accountId)),
      findByDigest: "reads",
      find: "reads",
      list: "reads",
      touch: (sessions, { accountId, id }) => sessions.touch(accountId, id, Samples.later(1), Samples.later(2)),
      delete: (sessions, { accountId, id }) => sessions.delete(accountId, id),
      deleteAll: (sessions, { accountId }) => sessions.deleteAll(accountId, null),
      keepNewest: (sessions, { accountId }) => sessions.keepNewest(accountId, null, 0, Samples.later(-90_000)),
      sweep: (sessions) => sessions.sweep(longAgo, Samples.rowLimit(1_000))
    }
  }
)
