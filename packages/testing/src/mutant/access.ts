import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { type AccountId, balance } from "@frontdesk/core/access/Account"
import { KeyDigest } from "@frontdesk/core/access/ApiKey"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { Cell } from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { Money } from "@frontdesk/core/values/Money"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "../suite/Samples.ts"
import { justAfter, mutantsOf, onlyFirst, reversed, wholeSeconds, withoutLock } from "./Mutant.ts"

/** Mutants of `AccountStore`. */
export const accountStore = mutantsOf(AccountStore, {
  "insert does not store the teams": (store) => ({
    insert: (account) =>
      Effect.map(store.insert({ ...account, teamIds: [] }), (stored) => ({ ...stored, teamIds: account.teamIds }))
  }),
  "insert stores the creation time in whole seconds": (store) => ({
    insert: (account) => store.insert({ ...account, createdAt: wholeSeconds(account.createdAt) })
  }),
  "insert gives a new account money": (store) => ({
    insert: (account) =>
      Effect.tap(store.insert(account), ({ id }) => store.changeFunds(id, { deposits: Money.make(1) }, Samples.cause))
  }),
  "search ignores the text": (store) => ({ search: (_, page) => store.search(null, page) }),
  "search returns no sums": (store) => ({
    search: (text, page) =>
      Effect.map(store.search(text, page), (found) => ({
        ...found,
        items: found.items.map((item) => ({
          ...item,
          funds: { deposits: Money.make(0), charges: Money.make(0), reservations: Money.make(0) }
        }))
      }))
  }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update does not store the settings": (store) => ({
    update: (account) =>
      Effect.flatMap(store.find(account.id), (stored) =>
        store.update({ ...account, settings: Option.getOrElse(stored, () => account).settings })
      )
  }),
  "update removes the money": (store) => ({
    update: (account) =>
      store.update(account).pipe(
        Effect.andThen(store.funds(account.id)),
        Effect.flatMap(({ charges, deposits, reservations }) =>
          store.changeFunds(
            account.id,
            {
              charges: Money.make(0 - charges),
              deposits: Money.make(0 - deposits),
              reservations: Money.make(0 - reservations)
            },
            Samples.cause
          )
        ),
        Effect.asVoid
      )
  }),
  "find returns none": () => ({ find: () => Effect.succeedNone }),
  "findForUpdate returns none": () => ({ findForUpdate: () => Effect.succeedNone }),
  "findForUpdate does not return the teams": (store) => ({
    findForUpdate: (id) =>
      Effect.map(
        store.findForUpdate(id),
        Option.map((account) => ({ ...account, teamIds: [] }))
      )
  }),
  "findForUpdate does not lock the account": (store) => ({ findForUpdate: withoutLock(store.findForUpdate) }),
  "list includes the account `after`": (store) => ({
    list: (after, limit) =>
      Effect.gen(function* () {
        const rows = yield* store.list(after, limit)
        const first = after === null ? Option.none() : yield* store.find(after)
        return [...Option.toArray(first), ...rows].slice(0, limit)
      })
  }),
  "list ignores the limit": (store) => ({ list: (after) => store.list(after, 1_000) }),
  "list is sorted from the newest": (store) => ({ list: (after, limit) => reversed(store.list(after, limit)) }),
  "clientsOf includes accounts that are not clients": (store) => {
    const partners = new Map<AccountId, AccountId | null>()
    return {
      insert: (account) =>
        Effect.tap(store.insert(account), ({ id }) => Effect.sync(() => partners.set(id, account.partnerId))),
      update: (account) =>
        Effect.tap(store.update(account), () => Effect.sync(() => partners.set(account.id, account.partnerId))),
      clientsOf: (partnerId) =>
        Effect.sync(() => [...partners].flatMap(([id, partner]) => (partner === partnerId ? [id] : [])))
    }
  },
  "clientsOf returns the newest client first": (store) => ({ clientsOf: (id) => reversed(store.clientsOf(id)) }),
  "funds fails for an account that does not exist": (store) => ({
    funds: (id) =>
      Effect.flatMap(store.find(id), (account) => (Option.isNone(account) ? Effect.die("no account") : store.funds(id)))
  }),
  "lockFunds returns no funds": () => ({
    lockFunds: () => Effect.succeed({ charges: Money.make(0), deposits: Money.make(0), reservations: Money.make(0) })
  }),
  "changeFunds records the movement without its call": (store) => ({
    changeFunds: (id, change, cause) => store.changeFunds(id, change, { ...cause, callId: null })
  }),
  "changeFunds records a call for a movement without one": (store) => ({
    changeFunds: (id, change, cause) => store.changeFunds(id, change, { ...cause, callId: cause.callId ?? "" })
  }),
  "changeFunds records the time in whole seconds": (store) => ({
    changeFunds: (id, change, cause) => store.changeFunds(id, change, { ...cause, at: wholeSeconds(cause.at) })
  }),
  "changeFunds records a movement for each sum": (store) => ({
    changeFunds: (id, { charges, ...others }, cause) =>
      Effect.gen(function* () {
        const isChanged = yield* store.changeFunds(id, others, cause)
        return isChanged && charges !== undefined ? yield* store.changeFunds(id, { charges }, cause) : isChanged
      })
  }),
  "changeFunds records a movement for a change without amounts": (store) => ({
    changeFunds: (id, change, cause) =>
      Effect.gen(function* () {
        if (Object.keys(change).length > 0) return yield* store.changeFunds(id, change, cause)
        yield* store.changeFunds(id, { deposits: Money.make(1) }, cause)
        return yield* store.changeFunds(id, { deposits: Money.make(-1) }, cause)
      })
  }),
  "changeFunds sets the sums": (store) => ({
    changeFunds: (id, change, cause) =>
      Effect.flatMap(store.funds(id), (funds) =>
        store.changeFunds(
          id,
          {
            charges: Money.make((change.charges ?? funds.charges) - funds.charges),
            deposits: Money.make((change.deposits ?? funds.deposits) - funds.deposits),
            reservations: Money.make((change.reservations ?? funds.reservations) - funds.reservations)
          },
          cause
        )
      )
  }),
  "changeFunds lets the balance become negative": (store) => ({
    changeFunds: (id, change, cause) =>
      Effect.flatMap(store.changeFunds(id, change, cause), (changed) =>
        changed
          ? Effect.succeed(true)
          : // The missing money is added, so that the change succeeds.
            store.changeFunds(id, { ...change, deposits: Money.make(1_000_000_000) }, cause)
      )
  }),
  "changeFunds refuses a change to a balance of zero": (store) => ({
    changeFunds: (id, change, cause) =>
      Effect.gen(function* () {
        const { charges, deposits, reservations } = yield* store.funds(id)
        const next = {
          charges: Money.make(charges + (change.charges ?? 0)),
          deposits: Money.make(deposits + (change.deposits ?? 0)),
          reservations: Money.make(reservations + (change.reservations ?? 0))
        }
        return deposits > 0 && balance(next) === 0 ? false : yield* store.changeFunds(id, change, cause)
      })
  }),
  "changeFunds returns true for an account that does not exist": (store) => ({
    changeFunds: (id, change, cause) =>
      Effect.flatMap(store.find(id), (account) =>
        Option.isNone(account) ? Effect.succeed(true) : store.changeFunds(id, change, cause)
      )
  }),
  "changeFunds spends the same money twice": (store) => ({
    changeFunds: (id, change, cause) =>
      Effect.gen(function* () {
        const before = yield* store.funds(id)
        yield* Effect.yieldNow
        const isCovered = balance(before) >= (change.reservations ?? 0)
        if (!isCovered) return yield* store.changeFunds(id, change, cause)
        return (yield* store.changeFunds(id, change, cause)) || isCovered
      })
  })
})

/** Mutants of `TeamStore`. */
export const teamStore = mutantsOf(TeamStore, {
  "insert changes the name": (store) => ({ insert: (name) => store.insert(name.trim()) }),
  "insert returns the team that has the name": (store) => ({ insert: onlyFirst(store.insert) }),
  "find returns none": () => ({ find: () => Effect.succeedNone }),
  "find returns a team for every id": (store) => ({
    find: (id) => Effect.map(store.find(id), (team) => Option.orElseSome(team, () => ({ id, name: "" })))
  }),
  "rename has no effect": () => ({ rename: () => Effect.void })
})

/** Mutants of `ApiKeyStore`. */
export const apiKeyStore = mutantsOf(ApiKeyStore, {
  "insert does not store the permissions": (store) => ({
    insert: (key) =>
      Effect.map(store.insert({ ...key, permissions: [] }), (stored) => ({ ...stored, permissions: key.permissions }))
  }),
  "insert accepts a digest that another key has": (store) => ({
    insert: (key) =>
      Effect.catchIf(
        store.insert(key),
        ({ reason }) => reason === "duplicate",
        () => store.insert({ ...key, digest: KeyDigest.make(`${key.digest.slice(0, -8)}00000000`) })
      )
  }),
  "insert accepts a digest that another key had": (store) => ({
    insert: (key) =>
      Effect.gen(function* () {
        const found = yield* store.findByDigest(key.digest)
        const isPrevious = Option.isSome(found) && found.value.matched === "previous"
        return isPrevious
          ? yield* store.insert({ ...key, digest: KeyDigest.make(`${key.digest.slice(0, -8)}00000000`) })
          : yield* store.insert(key)
      })
  }),
  "findByDigest does not return the previous digest": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.filter(({ matched }) => matched === "current")
      )
  }),
  "findByDigest reports the previous digest as the present one": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.map((found) => ({ ...found, matched: "current" as const }))
      )
  }),
  "findByDigest does not return revoked keys": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.filter(({ apiKey }) => apiKey.revokedAt === null)
      )
  }),
  "findByDigest does not return expired keys": (store) => ({
    findByDigest: (digest) =>
      Effect.map(
        store.findByDigest(digest),
        Option.filter(({ apiKey }) => apiKey.expiresAt === null)
      )
  }),
  "find ignores the account": (store) => {
    const owners = new Map<number, AccountId>()
    return {
      insert: (key) => Effect.tap(store.insert(key), ({ id }) => Effect.sync(() => owners.set(id, key.accountId))),
      find: (accountId, id) => store.find(owners.get(id) ?? accountId, id)
    }
  },
  "findForUpdate ignores the account": (store) => {
    const owners = new Map<number, AccountId>()
    return {
      insert: (key) => Effect.tap(store.insert(key), ({ id }) => Effect.sync(() => owners.set(id, key.accountId))),
      findForUpdate: (accountId, id) => store.findForUpdate(owners.get(id) ?? accountId, id)
    }
  },
  "findForUpdate does not lock the key": (store) => ({ findForUpdate: withoutLock(store.findForUpdate) }),
  "list returns the newest key first": (store) => ({ list: (accountId) => reversed(store.list(accountId)) }),
  "list does not return revoked keys": (store) => ({
    list: (accountId) => Effect.map(store.list(accountId), (keys) => keys.filter(({ revokedAt }) => revokedAt === null))
  }),
  "rotate does not change the prefix": (store) => {
    const prefixes = new Map<number, string>()
    return {
      insert: (key) => Effect.tap(store.insert(key), ({ id, prefix }) => Effect.sync(() => prefixes.set(id, prefix))),
      rotate: (id, next) => store.rotate(id, { ...next, prefix: prefixes.get(id) ?? next.prefix })
    }
  },
  "rotate stores a later end of the old digest": (store) => ({
    rotate: (id, next) => store.rotate(id, { ...next, previousExpiresAt: justAfter(next.previousExpiresAt) })
  }),
  "rotate ignores a digest that is in use": (store) => ({
    rotate: (id, next) => Effect.ignore(store.rotate(id, next))
  }),
  "revoke has no effect": () => ({ revoke: () => Effect.void }),
  "revoke replaces the time of the first revocation": (store) => {
    const again = new Map<number, Parameters<typeof store.revoke>[1]>()
    return {
      revoke: (id, at) =>
        Effect.andThen(
          Effect.sync(() => again.set(id, at)),
          store.revoke(id, at)
        ),
      find: (accountId, id) =>
        Effect.map(
          store.find(accountId, id),
          Option.map((key) => ({ ...key, revokedAt: again.get(id) ?? key.revokedAt }))
        )
    }
  },
  "touch stores whole seconds": (store) => ({ touch: (id, at) => store.touch(id, wholeSeconds(at)) })
})

/** Mutants of `InstallationStore`. */
export const installationStore = mutantsOf(InstallationStore, {
  "cell changes": () => {
    let cell = 0
    return { cell: Effect.sync(() => Cell.make(cell++)) }
  },
  "cell is out of range": () => ({ cell: Effect.succeed(Cell.make(8_192, { disableChecks: true })) }),
  "secret returns the candidate of each caller": (store) => ({
    secret: (name, candidate) => Effect.as(store.secret(name, candidate), candidate)
  }),
  "secret ignores the name": (store) => ({ secret: (_name, candidate) => store.secret("secret", candidate) }),
  "secrets is empty": () => ({ secrets: Effect.succeed([]) }),
  "replaceSecret has no effect": () => ({ replaceSecret: () => Effect.succeed(true) }),
  "replaceSecret replaces every text": (store) => ({
    replaceSecret: (name, _before, after) =>
      Effect.flatMap(store.secrets, (all) => {
        const stored = all.find((secret) => secret.name === name)?.stored
        return stored === undefined ? Effect.succeed(false) : store.replaceSecret(name, stored, after)
      })
  })
})

/** Mutants of `RateLimiter`. */
export const rateLimiter = mutantsOf(RateLimiter, {
  "consume allows every request": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.map(limiter.consume(bucket, cost), (decision) => decision && { ...decision, allowed: true })
  }),
  "consume does not limit requests": () => ({ consume: () => Effect.succeed(null) }),
  "all names share one bucket": (limiter) => ({ consume: (_bucket, cost) => limiter.consume("bucket", cost) }),
  "a request takes 1, whatever its cost": (limiter) => ({ consume: (bucket) => limiter.consume(bucket) }),
  "a request that is not allowed empties the bucket": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.tap(limiter.consume(bucket, cost), (decision) =>
        decision !== null && !decision.allowed && decision.remaining > 0
          ? limiter.consume(bucket, decision.remaining)
          : Effect.void
      )
  }),
  "a cost above the limit is never allowed": (limiter) => ({
    consume: (bucket, cost = 1) =>
      Effect.map(limiter.consume(bucket, cost), (decision) =>
        decision !== null && cost > decision.limit ? { ...decision, allowed: false } : decision
      )
  }),
  "remaining counts the request itself": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.map(
        limiter.consume(bucket, cost),
        (decision) => decision && { ...decision, remaining: decision.remaining + 1 }
      )
  }),
  "resetMillis is a millisecond too low": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.map(
        limiter.consume(bucket, cost),
        (decision) => decision && { ...decision, resetMillis: Math.max(0, decision.resetMillis - 1) }
      )
  }),
  "resetMillis is a millisecond too high": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.map(
        limiter.consume(bucket, cost),
        (decision) => decision && { ...decision, resetMillis: decision.resetMillis + 1 }
      )
  }),
  "limit is what remains": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.map(limiter.consume(bucket, cost), (decision) => decision && { ...decision, limit: decision.remaining })
  }),
  "window is the time until the bucket is full": (limiter) => ({
    consume: (bucket, cost) =>
      Effect.map(
        limiter.consume(bucket, cost),
        (decision) => decision && { ...decision, window: Duration.millis(decision.resetMillis) }
      )
  })
})
