import { SessionStore } from "@frontdesk/core/access/SessionStore"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import type { Session, SignInLink, TokenDigest } from "@frontdesk/core/access/Session"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as People from "../suite/People.ts"
import {
  acceptingDuplicates,
  filterPage,
  justAfter,
  justBefore,
  mutantsOf,
  onlyFirst,
  rememberOwners,
  reversed,
  reversedPage,
  wholeSeconds
} from "./Mutant.ts"

/**
 * Returns an insert that remembers the rows, and a function that returns a row with the name and the role that it was
 * stored with, also after a change of its member.
 */
const remembering = <New, Row extends SignInLink | Session, E>(insert: (row: New) => Effect.Effect<Row, E>) => {
  const stored = new Map<number, Row>()
  return {
    insert: (given: New) => Effect.tap(insert(given), (row) => Effect.sync(() => stored.set(row.id, row))),
    asStored: (row: Row): Row => {
      const first = stored.get(row.id) ?? row
      return { ...row, name: first.name, role: first.role }
    }
  }
}

/** Mutants of `SignInLinkStore`. */
export const signInLinkStore = mutantsOf(SignInLinkStore, {
  "insert stores the expiry in whole seconds": (store) => ({
    insert: (link) => store.insert({ ...link, expiresAt: wholeSeconds(link.expiresAt) })
  }),
  "insert does not store the user": (store) => ({
    insert: (link) =>
      Effect.map(store.insert({ ...link, userId: null }), (stored) => ({ ...stored, userId: link.userId }))
  }),
  "insert accepts a digest that a link has": (store) => ({
    insert: acceptingDuplicates(store.insert, (link) => ({ ...link, digest: People.newDigest() }))
  }),
  "findByDigest returns the first link for every digest": (store) => ({
    findByDigest: onlyFirstOf(store.findByDigest)
  }),
  "findByDigest finds no expired link": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.filter(({ createdAt, expiresAt }) => DateTime.isGreaterThan(expiresAt, createdAt))
      )
  }),
  "a link keeps the role of its member from when it was made": (store) => {
    const { asStored, insert } = remembering(store.insert)
    return {
      insert,
      findByDigest: (digest) => Effect.map(store.findByDigest(digest), Option.map(asStored))
    }
  },
  "list shows the role of a member from when the link was made": (store) => {
    const { asStored, insert } = remembering(store.insert)
    return {
      insert,
      list: (accountId, now, limit) => Effect.map(store.list(accountId, now, limit), (rows) => rows.map(asStored))
    }
  },
  "list returns the newest first": (store) => ({
    list: (accountId, now, limit) => reversed(store.list(accountId, now, limit))
  }),
  "list ignores the limit": (store) => ({ list: (accountId, now) => store.list(accountId, now, 1_000) }),
  "list returns links a millisecond too long": (store) => ({
    list: (accountId, now, limit) => store.list(accountId, justBefore(now), limit)
  }),
  "count counts links a millisecond too long": (store) => ({
    count: (accountId, memberId, now) => store.count(accountId, memberId, justBefore(now))
  }),
  "count counts all links of the account": (store) => ({
    count: (accountId, _memberId, now) => Effect.map(store.list(accountId, now, 1_000), ({ length }) => length)
  }),
  "delete always returns true": (store) => ({
    delete: (accountId, id) => Effect.as(store.delete(accountId, id), true)
  }),
  "delete has no effect": (store) => {
    const deleted = new Set<number>()
    return {
      delete: (accountId, id) =>
        Effect.map(store.list(accountId, DateTime.makeUnsafe(0), 1_000), (all) => {
          const isFirst = all.some((link) => link.id === id) && !deleted.has(id)
          deleted.add(id)
          return isFirst
        })
    }
  },
  "delete deletes links of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, delete: (accountId, id) => store.delete(ownerOf(id, accountId), id) }
  },
  "delete deletes all links of the account": (store) => ({
    delete: (accountId, id) =>
      Effect.tap(store.delete(accountId, id), (isDeleted) =>
        isDeleted
          ? Effect.flatMap(store.list(accountId, DateTime.makeUnsafe(0), 1_000), (all) =>
              Effect.forEach(all, (link) => store.delete(accountId, link.id))
            )
          : Effect.void
      )
  }),
  "keepNewest has no effect": () => ({ keepNewest: () => Effect.void }),
  "keepNewest deletes one link more": (store) => ({
    keepNewest: (accountId, memberId, count, now) => store.keepNewest(accountId, memberId, Math.max(0, count - 1), now)
  }),
  "keepNewest keeps one link more": (store) => ({
    keepNewest: (accountId, memberId, count, now) => store.keepNewest(accountId, memberId, count + 1, now)
  }),
  "keepNewest counts expired links": (store) => ({
    keepNewest: (accountId, memberId, count) => store.keepNewest(accountId, memberId, count, DateTime.makeUnsafe(0))
  }),
  "keepNewest keeps the oldest": (store) => ({
    keepNewest: (accountId, memberId, count) =>
      Effect.flatMap(store.list(accountId, DateTime.makeUnsafe(0), 1_000), (all) =>
        Effect.forEach(
          all.filter((link) => link.memberId === memberId).slice(count),
          ({ id }) => store.delete(accountId, id),
          { discard: true }
        )
      )
  }),
  "keepNewest deletes the links of other members": (store) => ({
    keepNewest: (accountId, memberId, count, now) =>
      Effect.flatMap(store.list(accountId, DateTime.makeUnsafe(0), 1_000), (all) =>
        Effect.forEach(
          all.filter((link) => link.memberId !== memberId),
          ({ id }) => store.delete(accountId, id)
        )
      ).pipe(Effect.andThen(store.keepNewest(accountId, memberId, count, now)))
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes a millisecond too late": (store) => ({ sweep: (now, limit) => store.sweep(justBefore(now), limit) }),
  "sweep deletes links that expire a minute later": (store) => ({
    sweep: (now, limit) => store.sweep(DateTime.add(now, { minutes: 1 }), limit)
  }),
  "sweep ignores the limit": (store) => ({ sweep: (now, limit) => store.sweep(now, { ...limit, rows: 1_000 }) }),
  "sweep returns one more": (store) => ({ sweep: (now, limit) => Effect.map(store.sweep(now, limit), (n) => n + 1) })
})

/** Returns a look-up that returns what its first successful call has found, whatever the digest is. */
function onlyFirstOf<A, E>(
  find: (digest: TokenDigest) => Effect.Effect<Option.Option<A>, E>
): (digest: TokenDigest) => Effect.Effect<Option.Option<A>, E> {
  let first: Option.Option<A> = Option.none()
  return (digest) =>
    Effect.map(find(digest), (found) => {
      first = Option.orElse(first, () => found)
      return first
    })
}

/** Mutants of `SessionStore`. */
export const sessionStore = mutantsOf(SessionStore, {
  "insert stores the times in whole seconds": (store) => ({
    insert: (session) => store.insert({ ...session, lastUsedAt: wholeSeconds(session.lastUsedAt) })
  }),
  "insert stores the expiry as the end": (store) => ({
    insert: (session) =>
      Effect.map(store.insert({ ...session, endsAt: session.expiresAt }), (stored) => ({
        ...stored,
        endsAt: session.endsAt
      }))
  }),
  "insert does not store the user": (store) => ({
    insert: (session) =>
      Effect.map(store.insert({ ...session, userId: null }), (stored) => ({ ...stored, userId: session.userId }))
  }),
  "insert accepts a digest that a session has": (store) => ({
    insert: acceptingDuplicates(store.insert, (session) => ({ ...session, digest: People.newDigest() }))
  }),
  "findByDigest returns the first session for every digest": (store) => ({
    findByDigest: onlyFirstOf(store.findByDigest)
  }),
  "findByDigest finds no session that has expired": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.filter(
          ({ session }) => session.expiresAt.epochMilliseconds > session.lastUsedAt.epochMilliseconds + 60_000
        )
      )
  }),
  "findByDigest returns the account without its teams": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.map((found) => ({ ...found, account: { ...found.account, teamIds: [] } }))
      )
  }),
  "findByDigest caches what it finds": (store) => ({ findByDigest: onlyFirst(store.findByDigest) }),
  "findByDigest returns the role of a member from when the session began": (store) => {
    const { asStored, insert } = remembering(store.insert)
    return {
      insert,
      findByDigest: (digest) =>
        Effect.map(
          store.findByDigest(digest),
          Option.map(({ account, session }) => ({ account, session: asStored(session) }))
        )
    }
  },
  "find returns the role of a member from when the session began": (store) => {
    const { asStored, insert } = remembering(store.insert)
    return {
      insert,
      find: (accountId, id) => Effect.map(store.find(accountId, id), Option.map(asStored))
    }
  },
  "find finds sessions of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, find: (accountId, id) => store.find(ownerOf(id, accountId), id) }
  },
  "list returns the oldest first": (store) => ({
    list: (accountId, memberId, now, page) => reversedPage(store.list(accountId, memberId, now, page))
  }),
  "list ignores the member": (store) => ({
    list: (accountId, _memberId, now, page) => store.list(accountId, null, now, page)
  }),
  "list with null returns only sessions without a member": (store) => ({
    list: (accountId, memberId, now, page) =>
      memberId === null
        ? filterPage(store.list(accountId, memberId, now, page), (session) => session.memberId === null)
        : store.list(accountId, memberId, now, page)
  }),
  "list returns sessions a millisecond too long": (store) => ({
    list: (accountId, memberId, now, page) => store.list(accountId, memberId, justBefore(now), page)
  }),
  "list returns sessions a millisecond too short": (store) => ({
    list: (accountId, memberId, now, page) =>
      filterPage(store.list(accountId, memberId, now, page), ({ expiresAt }) =>
        DateTime.isGreaterThan(expiresAt, DateTime.add(now, { minutes: 2 }))
      )
  }),
  "list returns the first page for every page": (store) => ({
    list: (accountId, memberId, now, page) =>
      Effect.map(store.list(accountId, memberId, now, { ...page, page: 1 }), (found) => ({ ...found, page: page.page }))
  }),
  "touch has no effect": () => ({ touch: () => Effect.void }),
  "touch does not store the expiry": (store) => ({
    touch: (accountId, id, lastUsedAt, expiresAt) =>
      Effect.flatMap(store.find(accountId, id), (found) =>
        store.touch(accountId, id, lastUsedAt, Option.isSome(found) ? found.value.expiresAt : expiresAt)
      )
  }),
  "touch stores the last use a millisecond too late": (store) => ({
    touch: (accountId, id, lastUsedAt, expiresAt) => store.touch(accountId, id, justAfter(lastUsedAt), expiresAt)
  }),
  "touch changes sessions of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      touch: (accountId, id, lastUsedAt, expiresAt) => store.touch(ownerOf(id, accountId), id, lastUsedAt, expiresAt)
    }
  },
  "delete always returns true": (store) => ({
    delete: (accountId, id) => Effect.as(store.delete(accountId, id), true)
  }),
  "delete deletes sessions of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, delete: (accountId, id) => store.delete(ownerOf(id, accountId), id) }
  },
  "delete deletes all sessions of the account": (store) => ({
    delete: (accountId, id) => Effect.tap(store.delete(accountId, id), () => store.deleteAll(accountId, null))
  }),
  "deleteAll deletes everyone's sessions": (store) => ({ deleteAll: (accountId) => store.deleteAll(accountId, null) }),
  "deleteAll with null deletes nothing": (store) => ({
    deleteAll: (accountId, memberId) => (memberId === null ? Effect.succeed(0) : store.deleteAll(accountId, memberId))
  }),
  "deleteAll returns 1": (store) => ({
    deleteAll: (accountId, memberId) => Effect.as(store.deleteAll(accountId, memberId), 1)
  }),
  "keepNewest has no effect": () => ({ keepNewest: () => Effect.void }),
  "keepNewest deletes one session more": (store) => ({
    keepNewest: (accountId, memberId, count, now) => store.keepNewest(accountId, memberId, Math.max(0, count - 1), now)
  }),
  "keepNewest counts expired sessions": (store) => ({
    keepNewest: (accountId, memberId, count) => store.keepNewest(accountId, memberId, count, DateTime.makeUnsafe(0))
  }),
  "keepNewest with null counts the sessions of members": (store) => ({
    keepNewest: (accountId, memberId, count, now) =>
      memberId === null
        ? Effect.flatMap(store.list(accountId, null, DateTime.makeUnsafe(0), { page: 1, limit: 100 }), ({ items }) =>
            Effect.forEach(items.slice(count), ({ id }) => store.delete(accountId, id), { discard: true })
          )
        : store.keepNewest(accountId, memberId, count, now)
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes a millisecond too late": (store) => ({ sweep: (now, limit) => store.sweep(justBefore(now), limit) }),
  "sweep deletes sessions that expire a minute later": (store) => ({
    sweep: (now, limit) => store.sweep(DateTime.add(now, { minutes: 1 }), limit)
  }),
  "sweep ignores the limit": (store) => ({ sweep: (now, limit) => store.sweep(now, { ...limit, rows: 1_000 }) }),
  "sweep returns one more": (store) => ({ sweep: (now, limit) => Effect.map(store.sweep(now, limit), (n) => n + 1) })
})
