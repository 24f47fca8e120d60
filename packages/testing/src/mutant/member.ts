import { MemberStore } from "@frontdesk/core/access/MemberStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { acceptingDuplicates, justBefore, mutantsOf, rememberOwners, reversed, wholeSeconds } from "./Mutant.ts"

/** Mutants of `MemberStore`. */
export const memberStore = mutantsOf(MemberStore, {
  "insert stores the creation time in whole seconds": (store) => ({
    insert: (member) => store.insert({ ...member, createdAt: wholeSeconds(member.createdAt) })
  }),
  "insert stores the address in lower case": (store) => ({
    insert: (member) => store.insert({ ...member, email: member.email.toLowerCase() })
  }),
  "insert accepts a mailbox that the account has": (store) => ({
    insert: acceptingDuplicates(store.insert, (member) => ({ ...member, email: `x${member.email}` }))
  }),
  "insert compares addresses as they are written": (store) => {
    const taken = new Set<string>()
    return {
      insert: (member) => {
        const isTaken = taken.has(member.email)
        taken.add(member.email)
        const given = isTaken ? member : { ...member, email: `${taken.size}${member.email}` }
        return Effect.map(store.insert(given), (stored) => ({ ...stored, email: member.email }))
      }
    }
  },
  "find finds members of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, find: (accountId, id) => store.find(ownerOf(id, accountId), id) }
  },
  "list returns the newest first": (store) => ({ list: (accountId) => reversed(store.list(accountId)) }),
  "list returns the first member only": (store) => ({
    list: (accountId) => Effect.map(store.list(accountId), (all) => all.slice(0, 1))
  }),
  "listByEmail returns the newest first": (store) => ({
    listByEmail: (email, limit) => reversed(store.listByEmail(email, limit))
  }),
  "listByEmail ignores the limit": (store) => ({ listByEmail: (email) => store.listByEmail(email, 1_000) }),
  "listByEmail finds the address as it is written alone": (store) => ({
    listByEmail: (email, limit) =>
      Effect.map(store.listByEmail(email, limit), (all) => all.filter((member) => member.email === email))
  }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update does not store the role": (store) => ({
    update: (member) =>
      Effect.flatMap(store.find(member.accountId, member.id), (found) =>
        store.update({ ...member, role: Option.getOrElse(found, () => member).role })
      )
  }),
  "update does not store the name": (store) => ({
    update: (member) =>
      Effect.flatMap(store.find(member.accountId, member.id), (found) =>
        store.update({ ...member, name: Option.getOrElse(found, () => member).name })
      )
  }),
  "update changes members of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, update: (member) => store.update({ ...member, accountId: ownerOf(member.id, member.accountId) }) }
  },
  "update changes all members of the account": (store) => ({
    update: (member) =>
      Effect.flatMap(store.list(member.accountId), (all) =>
        Effect.forEach(all, ({ id }) => store.update({ ...member, id }), { discard: true })
      )
  }),
  "touch has no effect": () => ({ touch: () => Effect.void }),
  "touch changes members of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, touch: (accountId, id, at) => store.touch(ownerOf(id, accountId), id, at) }
  },
  "touch stores whole seconds": (store) => ({
    touch: (accountId, id, at) => store.touch(accountId, id, wholeSeconds(at))
  }),
  "beginMail always returns true": (store) => ({
    beginMail: (accountId, id, now, before) => Effect.as(store.beginMail(accountId, id, now, before), true)
  }),
  "beginMail returns true only once": (store) => {
    const begun = new Set<number>()
    return {
      beginMail: (accountId, id, now, before) => {
        const isBegun = begun.has(id)
        begun.add(id)
        return Effect.map(store.beginMail(accountId, id, now, before), (isDue) => isDue && !isBegun)
      }
    }
  },
  "beginMail begins a millisecond too late": (store) => ({
    beginMail: (accountId, id, now, before) => store.beginMail(accountId, id, now, justBefore(before))
  }),
  "beginMail does not store the time": (store) => ({
    beginMail: (accountId, id, now, before) =>
      store.beginMail(accountId, id, DateTime.subtract(now, { days: 1 }), before)
  }),
  "beginMail begins for members of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      beginMail: (accountId, id, now, before) => store.beginMail(ownerOf(id, accountId), id, now, before)
    }
  },
  "beginMail reads and writes in two steps": (store) => {
    const times = new Map<number, DateTime.Utc>()
    return {
      beginMail: (accountId, id, now, before) =>
        Effect.gen(function* () {
          if (Option.isNone(yield* store.find(accountId, id))) return false
          const last = times.get(id)
          yield* Effect.yieldNow
          if (last !== undefined && DateTime.isGreaterThan(last, before)) return false
          times.set(id, now)
          return true
        })
    }
  },
  "delete always returns true": (store) => ({
    delete: (accountId, id) => Effect.as(store.delete(accountId, id), true)
  }),
  "delete has no effect": () => ({ delete: () => Effect.succeed(true) }),
  "delete deletes members of every account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, delete: (accountId, id) => store.delete(ownerOf(id, accountId), id) }
  },
  "delete deletes all members of the account": (store) => ({
    delete: (accountId, id) =>
      Effect.tap(store.delete(accountId, id), (isDeleted) =>
        isDeleted
          ? Effect.flatMap(store.list(accountId), (all) =>
              Effect.forEach(all, (member) => store.delete(accountId, member.id))
            )
          : Effect.void
      )
  })
})
