import * as FairShare from "@frontdesk/core/background/FairShare"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

interface Item {
  readonly id: number
  readonly account: number
  readonly line: string
}

const owners: FairShare.Owners<Item, number, string> = { account: ({ account }) => account, line: ({ line }) => line }

/** Returns so many items of an account, in turn for so many lines. Ids continue from `first`. */
const itemsOf = (account: number, count: number, lines = 1, first = 0): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, index) => ({
    id: first + index,
    account,
    line: `${account}/${index % lines}`
  }))

const empty = { takenByAccount: new Map<number, number>(), takenByLine: new Map<string, number>() }

/** Returns how many of the items each account has. */
const countByAccount = (items: ReadonlyArray<Item>) =>
  new Map([...Map.groupBy(items, ({ account }) => account)].map(([account, { length }]) => [account, length]))

describe("FairShare", () => {
  it("an account that is alone gets three quarters of the places, and the rest stays free", () => {
    const flood = itemsOf(1, 16_000, 40)
    const places = { ...empty, free: 256, perLine: 8 }
    expect(FairShare.choose(flood, owners, places)).toHaveLength(192)
    const later = { ...places, free: 64, takenByAccount: new Map([[1, 192]]) }
    expect(FairShare.choose(flood, owners, later)).toEqual([])
  })

  it("an account without a place gets one beside an account whose items all come first", () => {
    const idle = itemsOf(2, 1, 1, 16_000)
    const places = { free: 64, perLine: 8, takenByAccount: new Map([[1, 192]]), takenByLine: new Map() }
    expect(FairShare.choose([...itemsOf(1, 16_000, 40), ...idle], owners, places)).toEqual(idle)
  })

  it("accounts that begin together get the same number of places", () => {
    const items = [1, 2, 3].flatMap((account) => itemsOf(account, 500, 100, account * 500))
    const chosen = FairShare.choose(items, owners, { ...empty, free: 100, perLine: 8 })
    expect([...countByAccount(chosen)]).toEqual([
      [1, 30],
      [2, 30],
      [3, 30]
    ])
  })

  it("afterTaking counts the places that items have got", () => {
    const places = { free: 9, perLine: 8, takenByAccount: new Map([[1, 2]]), takenByLine: new Map([["1/0", 2]]) }
    expect(FairShare.afterTaking(places, [...itemsOf(1, 3, 2), ...itemsOf(2, 1)], owners)).toEqual({
      free: 5,
      perLine: 8,
      takenByAccount: new Map([
        [1, 5],
        [2, 1]
      ]),
      takenByLine: new Map([
        ["1/0", 4],
        ["1/1", 1],
        ["2/0", 1]
      ])
    })
    expect(FairShare.afterTaking(places, [], owners)).toBe(places)
  })

  it("an account uses its places for its lines in turn, whatever the order of the items is", () => {
    const backlog = itemsOf(1, 100)
    const last: Item = { id: 100, account: 1, line: "1/last" }
    const chosen = FairShare.choose([...backlog, last], owners, { ...empty, free: 3, perLine: 8 })
    expect(chosen.map(({ id }) => id)).toEqual([0, 1, 100])
  })

  it("with up to three places, an account that is alone gets all of them", () => {
    const counts = [1, 2, 3, 4, 5, 8].map(
      (free) => FairShare.choose(itemsOf(1, 20), owners, { ...empty, free, perLine: 20 }).length
    )
    expect(counts).toEqual([1, 2, 3, 3, 4, 6])
  })

  const account = fc.integer({ min: 1, max: 4 })
  const items = fc
    .array(fc.record({ account, line: fc.integer({ min: 1, max: 3 }) }), { maxLength: 60 })
    .map((all) => all.map(({ account, line }, id): Item => ({ id, account, line: `${account}/${line}` })))
  const places = fc.record({
    free: fc.nat({ max: 30 }),
    perLine: fc.integer({ min: 1, max: 6 }),
    takenByAccount: fc.array(fc.tuple(account, fc.nat({ max: 20 }))).map((taken) => new Map(taken)),
    takenByLine: fc
      .array(fc.tuple(account, fc.integer({ min: 1, max: 3 }), fc.nat({ max: 8 })))
      .map((taken) => new Map(taken.map(([account, line, count]) => [`${account}/${line}`, count])))
  })
  type Places = typeof places extends fc.Arbitrary<infer A> ? A : never

  /** Returns the items with a place, and for each account how many places it has then. */
  const share = (all: ReadonlyArray<Item>, { takenByAccount, ...given }: Places) => {
    const chosen = FairShare.choose(all, owners, { ...given, takenByAccount })
    const counts = new Map(takenByAccount)
    for (const [one, count] of countByAccount(chosen)) counts.set(one, (counts.get(one) ?? 0) + count)
    return { chosen, placesOf: (one: number) => counts.get(one) ?? 0 }
  }

  /** Returns the items that a line with free places could still get, if it were alone. */
  const waiting = (all: ReadonlyArray<Item>, chosen: ReadonlyArray<Item>, { perLine, takenByLine }: Places) => {
    const counts = new Map(takenByLine)
    for (const { line } of chosen) counts.set(line, (counts.get(line) ?? 0) + 1)
    return all.filter((item) => !chosen.includes(item) && (counts.get(item.line) ?? 0) < perLine)
  }

  it("never gives more places than there are, in all and for a line, and keeps the order of the items", () => {
    fc.assert(
      fc.property(items, places, (all, given) => {
        const { chosen } = share(all, given)
        expect(chosen.length).toBeLessThanOrEqual(given.free)
        for (const [line, { length }] of Map.groupBy(chosen, ({ line }) => line))
          expect((given.takenByLine.get(line) ?? 0) + length).toBeLessThanOrEqual(given.perLine)
        expect(chosen.map(({ id }) => id)).toEqual(chosen.map(({ id }) => id).toSorted((a, b) => a - b))
      })
    )
  })

  it("no account gets a place while another one with fewer places waits", () => {
    fc.assert(
      fc.property(items, places, (all, given) => {
        const { chosen, placesOf } = share(all, given)
        for (const one of chosen)
          for (const other of waiting(all, chosen, given))
            expect(placesOf(one.account)).toBeLessThanOrEqual(placesOf(other.account) + 1)
      })
    )
  })

  it("no account gets a place beyond three times the places that are free before", () => {
    fc.assert(
      fc.property(items, places, (all, given) => {
        const { chosen, placesOf } = share(all, given)
        const left = given.free - chosen.length
        for (const { account } of chosen)
          expect(placesOf(account) - 1).toBeLessThan(FairShare.placesPerFreePlace * (left + 1))
      })
    )
  })

  it("an item waits only if its line is full or its account has as many places as it may have", () => {
    fc.assert(
      fc.property(items, places, (all, given) => {
        const { chosen, placesOf } = share(all, given)
        for (const { account } of waiting(all, chosen, given))
          expect(FairShare.mayTake(placesOf(account), given.free - chosen.length)).toBe(false)
      })
    )
  })

  it("an account without places loses its first place to no account, while there are places for all", () => {
    fc.assert(
      fc.property(items, items, places, (own, others, given) => {
        fc.pre(own.length > 0 && given.free >= 6)
        const idle = own.map((item) => ({ ...item, account: 9, line: `9/${item.line}` }))
        const { chosen } = share([...others, ...idle], given)
        expect(chosen.some(({ account }) => account === 9)).toBe(true)
      })
    )
  })

  it("an account gets a place of each line before a second one of another line", () => {
    fc.assert(
      fc.property(items, places, (all, given) => {
        const { chosen } = share(all, given)
        const counts = new Map(given.takenByLine)
        for (const { line } of chosen) counts.set(line, (counts.get(line) ?? 0) + 1)
        for (const one of chosen)
          for (const other of waiting(all, chosen, given))
            if (one.account === other.account)
              expect(counts.get(one.line) ?? 0).toBeLessThanOrEqual((counts.get(other.line) ?? 0) + 1)
      })
    )
  })
})
