import { ownRows } from "@frontdesk/core/access/Scope"
import { CallStore } from "@frontdesk/core/call/CallStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  acceptingDuplicates,
  filterPage,
  justAfter,
  justBefore,
  mutantsOf,
  rememberOwners,
  reversedPage,
  wholeSeconds,
  withoutLock
} from "./Mutant.ts"

/** Mutants of `CallStore`. */
export const callStore = mutantsOf(CallStore, {
  "insert stores the creation time in whole seconds": (store) => ({
    insert: (call) => store.insert({ ...call, createdAt: wholeSeconds(call.createdAt) })
  }),
  "insert does not store the variables": (store) => ({
    insert: (call) =>
      Effect.map(store.insert({ ...call, variables: {} }), (row) => ({ ...row, variables: call.variables }))
  }),
  "insert stores null as an empty text": (store) => ({
    insert: (call) => store.insert({ ...call, summary: call.summary ?? "" })
  }),
  "insert accepts a call id that exists": (store) => ({
    insert: acceptingDuplicates(store.insert, (call) => ({ ...call, callId: `${call.callId}.` }))
  }),
  "insert stores no contact": (store) => ({ insert: (call) => store.insert({ ...call, contact: null }) }),
  "insert fails when the contact was deleted": (store) => ({
    insert: (call) =>
      Effect.tap(store.insert(call), (row) =>
        call.contact !== null && row.contact === null ? Effect.die("the contact does not exist") : Effect.void
      )
  }),
  "find ignores the scope": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      find: (scope, key) =>
        "id" in key
          ? store.find({ ...scope, accountId: ownerOf(key.id, scope.accountId) }, key)
          : store.find(scope, key)
    }
  },
  "find leaves out the calls of the teams": (store) => ({
    find: (scope, key) => store.find({ ...scope, teamIds: [] }, key)
  }),
  "find does not know call ids": (store) => ({
    find: (scope, key) => ("callId" in key ? Effect.succeedNone : store.find(scope, key))
  }),
  "find does not know the ids of the provider": (store) => ({
    find: (scope, key) => ("providerCallId" in key ? Effect.succeedNone : store.find(scope, key))
  }),
  "find shows the contact as the call's account sees it": (store) => ({
    find: (scope, key) =>
      Effect.flatMap(store.find(scope, key), (found) =>
        Option.isNone(found)
          ? Effect.succeed(found)
          : Effect.map(store.findForUpdate(key), (own) =>
              Option.some({ ...found.value, contact: Option.getOrElse(own, () => found.value).contact })
            )
      )
  }),
  "find shows the last call of a contact that the scope does not see": (store) => ({
    find: (scope, key) =>
      Effect.map(
        store.find(scope, key),
        Option.map((call) => ({
          ...call,
          contact: call.contact && { ...call.contact, lastCallDate: call.contact.lastCallDate ?? call.createdAt }
        }))
      )
  }),
  "find shows the team under its former name": (store) => {
    const names = new Map<number, string>()
    return {
      insert: (call) =>
        Effect.tap(store.insert(call), ({ team }) => Effect.sync(() => team && names.set(team.id, team.name))),
      find: (scope, key) =>
        Effect.map(
          store.find(scope, key),
          Option.map((call) => ({
            ...call,
            team: call.team && { ...call.team, name: names.get(call.team.id) ?? call.team.name }
          }))
        )
    }
  },
  "findForUpdate returns none": () => ({ findForUpdate: () => Effect.succeedNone }),
  "findAnywhere returns none": () => ({ findAnywhere: () => Effect.succeedNone }),
  "findForUpdate does not lock the call": (store) => ({ findForUpdate: withoutLock(store.findForUpdate) }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update does not replace the metadata": (store) => ({
    update: (call) =>
      Effect.flatMap(store.findForUpdate({ id: call.id }), (stored) =>
        store.update({ ...call, metadata: Option.getOrElse(stored, () => call).metadata })
      )
  }),
  "list returns the oldest call first": (store) => ({
    list: (scope, filter, page) => reversedPage(store.list(scope, filter, page))
  }),
  "list leaves out the calls of the teams": (store) => ({
    list: (scope, filter, page) => store.list({ ...scope, teamIds: [] }, filter, page)
  }),
  "list is in the order of insertion": (store) => ({
    list: (scope, filter, page) =>
      Effect.map(store.list(scope, filter, page), (found) => ({
        ...found,
        items: found.items.toSorted((a, b) => b.id - a.id)
      }))
  }),
  "list ignores the status": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, status: undefined }, page)
  }),
  "list ignores the direction": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, type: undefined }, page)
  }),
  "list ignores the agent": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, agentId: undefined }, page)
  }),
  "list ignores the contact": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, contactId: undefined }, page)
  }),
  "list ignores the phone number": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, phoneNumber: undefined }, page)
  }),
  "list ignores the search": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, search: undefined }, page)
  }),
  "a search does not find numbers": (store) => ({
    list: (scope, filter, page) =>
      filterPage(
        store.list(scope, filter, page),
        (call) => filter.search === undefined || !call.phoneNumber.includes(filter.search)
      )
  }),
  "a search does not find contacts": (store) => ({
    list: (scope, filter, page) =>
      filterPage(
        store.list(scope, filter, page),
        (call) => filter.search === undefined || call.phoneNumber.includes(filter.search)
      )
  }),
  "a search finds contacts that the scope does not see": (store) => ({
    list: (scope, { search, ...filter }, page) =>
      search === undefined
        ? store.list(scope, filter, page)
        : filterPage(
            store.list(scope, filter, page),
            ({ contact, phoneNumber }) =>
              phoneNumber.includes(search) || contact?.name.toLowerCase().includes(search.toLowerCase()) === true
          )
  }),
  "list leaves out a call that was created at `from`": (store) => ({
    list: (scope, filter, page) => store.list(scope, { ...filter, from: filter.from && justAfter(filter.from) }, page)
  }),
  "list includes a call that was created at `until`": (store) => ({
    list: (scope, filter, page) =>
      store.list(scope, { ...filter, until: filter.until && justAfter(filter.until) }, page)
  }),
  "countRunning counts calls that have ended": (store) => ({
    countRunning: (accountId) =>
      Effect.map(store.list(ownRows(accountId), {}, { page: 1, limit: 1 }), ({ count }) => count)
  }),
  "countRunning counts queued calls only": (store) => ({
    countRunning: (accountId) =>
      Effect.map(store.list(ownRows(accountId), { status: "queued" }, { page: 1, limit: 1 }), ({ count }) => count)
  }),
  "claim ignores the kind of work": (store) => ({
    claim: (work, now, leaseUntil, limit) =>
      Effect.gen(function* () {
        yield* store.claim(work === "reserve" ? "reconcile" : "reserve", now, leaseUntil, limit)
        return yield* store.claim(work, now, leaseUntil, limit)
      })
  }),
  "claim returns a call a millisecond early": (store) => ({
    claim: (work, now, leaseUntil, limit) => store.claim(work, justAfter(now), leaseUntil, limit)
  }),
  "claim returns a call a millisecond late": (store) => ({
    claim: (work, now, leaseUntil, limit) => store.claim(work, justBefore(now), leaseUntil, limit)
  }),
  "claim does not lease": (store) => ({ claim: (work, now, _leaseUntil, limit) => store.claim(work, now, now, limit) }),
  "claim ignores the limit": (store) => ({
    claim: (work, now, leaseUntil) => store.claim(work, now, leaseUntil, 1_000)
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep deletes a call that ended at the time": (store) => ({
    sweep: (before, limit) => store.sweep(justAfter(before), limit)
  }),
  "sweep ignores the limit of rows": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, rows: 10_000 })
  }),
  "sweep ignores the limit of bytes": (store) => ({
    sweep: (before, limit) => store.sweep(before, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  }),
  "sweep deletes a call that still waits for reconciliation": (store) => ({
    update: (call) => store.update({ ...call, reconcileAt: null }),
    insert: (call) => store.insert({ ...call, reconcileAt: null })
  }),
  "sweepTranscripts has no effect": () => ({ sweepTranscripts: () => Effect.succeed(0) }),
  "sweepTranscripts deletes the transcript of a call that ended at the time": (store) => ({
    sweepTranscripts: (before, limit) => store.sweepTranscripts(justAfter(before), limit)
  }),
  "sweepTranscripts ignores the limit of rows": (store) => ({
    sweepTranscripts: (before, limit) => store.sweepTranscripts(before, { ...limit, rows: 10_000 })
  }),
  "sweepTranscripts ignores the limit of bytes": (store) => ({
    sweepTranscripts: (before, limit) => store.sweepTranscripts(before, { ...limit, bytes: Number.MAX_SAFE_INTEGER })
  }),
  "sweepTranscripts deletes the calls": (store) => ({
    sweepTranscripts: (before, limit) => store.sweep(before, limit)
  }),
  "a page returns every large field": (store) => ({
    list: (scope, filter, page) => Effect.map(store.list(scope, filter, page), (found) => ({ ...found, truncated: [] }))
  }),
  "list leaves out calls that have ended": (store) => ({
    list: (scope, filter, page) => filterPage(store.list(scope, filter, page), ({ endedAt }) => endedAt === null)
  }),
  "claim leases for a day": (store) => ({
    claim: (work, now, leaseUntil, limit) => store.claim(work, now, DateTime.add(leaseUntil, { days: 1 }), limit)
  })
})
