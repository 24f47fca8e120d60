import type { FundMovement } from "@frontdesk/core/access/FundMovement"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Money from "@frontdesk/core/values/Money"
import * as Effect from "effect/Effect"
import { justAfter, justBefore, mutantsOf, reversedPage, wholeSeconds } from "./Mutant.ts"

type Store = FundMovementStore["Service"]

/** Returns a mutant that lists each movement with changed fields. */
const listing =
  (change: (movement: FundMovement) => Partial<FundMovement>) =>
  (store: Store): Partial<Store> => ({
    list: (accountId, filter, page) =>
      Effect.map(store.list(accountId, filter, page), (found) =>
        Page.map(found, (movement) => ({ ...movement, ...change(movement) }))
      )
  })

/** Returns a mutant that lists each opening with changed fields. */
const folding = (change: (opening: FundMovement) => Partial<FundMovement>) =>
  listing((movement) => (movement.kind === "opening" ? change(movement) : {}))

/** Mutants of `FundMovementStore`. */
export const fundMovementStore = mutantsOf(FundMovementStore, {
  "list returns the oldest movement first": (store) => ({
    list: (accountId, filter, page) => reversedPage(store.list(accountId, filter, page))
  }),
  "list returns the last page beyond the end": (store) => ({
    list: (accountId, filter, page) =>
      Effect.flatMap(store.list(accountId, filter, page), (found) =>
        found.items.length > 0 || found.count === 0
          ? Effect.succeed(found)
          : store.list(accountId, filter, { ...page, page: Page.pages(found) })
      )
  }),
  "list ignores the kind": (store) => ({
    list: (accountId, filter, page) => store.list(accountId, { ...filter, kind: undefined }, page)
  }),
  "list ignores the call": (store) => ({
    list: (accountId, filter, page) => store.list(accountId, { ...filter, callId: undefined }, page)
  }),
  "list ignores the start": (store) => ({
    list: (accountId, filter, page) => store.list(accountId, { ...filter, from: undefined }, page)
  }),
  "list ignores the end": (store) => ({
    list: (accountId, filter, page) => store.list(accountId, { ...filter, until: undefined }, page)
  }),
  "list leaves out a movement at the start": (store) => ({
    list: (accountId, { from, ...filter }, page) =>
      store.list(accountId, { ...filter, from: from === undefined ? undefined : justAfter(from) }, page)
  }),
  "list includes a movement at the end": (store) => ({
    list: (accountId, { until, ...filter }, page) =>
      store.list(accountId, { ...filter, until: until === undefined ? undefined : justAfter(until) }, page)
  }),
  "list counts the movements of the page": (store) => ({
    list: (accountId, filter, page) =>
      Effect.map(store.list(accountId, filter, page), (found) => ({ ...found, count: found.items.length }))
  }),
  "list never sets isCapped": (store) => ({
    list: (accountId, filter, page) =>
      Effect.map(store.list(accountId, filter, page), (found) => ({ ...found, isCapped: false }))
  }),
  "list sets isCapped when it is full": (store) => ({
    list: (accountId, filter, page) =>
      Effect.map(store.list(accountId, filter, page), (found) => ({
        ...found,
        isCapped: found.count === filter.newest
      }))
  }),
  "list shows times in whole seconds": listing(({ at }) => ({ at: wholeSeconds(at) })),
  "list shows amounts without a sign": listing(({ amount }) => ({ amount: Money.Money.make(Math.abs(amount)) })),
  "list shows the balance before each movement": listing(({ amount, balanceAfter }) => ({
    balanceAfter: Money.subtract(balanceAfter, amount)
  })),
  "list shows no call": listing(() => ({ callId: null })),
  "list shows a release as a settlement": listing(({ kind }) => ({ kind: kind === "release" ? "settlement" : kind })),
  "list leaves out movements without an amount": (store) => ({
    list: (accountId, filter, page) =>
      Effect.map(store.list(accountId, filter, page), (found) => ({
        ...found,
        items: found.items.filter(({ amount }) => amount !== 0)
      }))
  }),
  "fold has no effect": () => ({ fold: () => Effect.succeed(0) }),
  "fold takes movements that are at the time": (store) => ({
    fold: (before, limit) => store.fold(justAfter(before), limit)
  }),
  "fold leaves a movement from a millisecond before the time": (store) => ({
    fold: (before, limit) => store.fold(justBefore(before), limit)
  }),
  "fold ignores the limit": (store) => ({ fold: (before, limit) => store.fold(before, { ...limit, rows: 1_000 }) }),
  "fold takes as many movements as the limit": (store) => ({
    fold: (before, limit) => store.fold(before, { ...limit, rows: limit.rows - 1 })
  }),
  "fold returns how many movements are gone": (store) => ({
    fold: (before, limit) => Effect.map(store.fold(before, limit), (count) => Math.max(0, count - 1))
  }),
  "fold takes several accounts at once": (store) => ({
    fold: (before, limit) =>
      Effect.gen(function* () {
        const first = yield* store.fold(before, limit)
        return first + (limit.rows > 1 ? yield* store.fold(before, limit) : 0)
      })
  }),
  "an opening has no amount": folding(() => ({ amount: Money.zero })),
  "an opening shows a balance of zero": folding(() => ({ balanceAfter: Money.zero })),
  "an opening keeps the kind of its last movement": folding(() => ({ kind: "deposit" }))
})
