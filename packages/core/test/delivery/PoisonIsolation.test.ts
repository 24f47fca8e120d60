import { describe, expect, it } from "@effect/vitest"
import * as PoisonIsolation from "@frontdesk/core/delivery/PoisonIsolation"
import * as fc from "fast-check"

/** A delivery taken so often, this time included, under a lease of its own. */
const taken = (key: number, claims: number) => ({ key, leaseId: `lease ${claims}`, claims })

const keys = (deliveries: ReadonlyArray<{ readonly key: number }>) => deliveries.map(({ key }) => key)

const many = (count: number, claims: number) => Array.from({ length: count }, (_, key) => taken(key, claims))

const limits = { maxClaims: 10, maxInFlight: 256 }

const admitted = (count: number, claims: number) =>
  PoisonIsolation.admit(PoisonIsolation.none, many(count, claims), limits).admitted.length

describe("PoisonIsolation", () => {
  it("the oftener deliveries were taken without a result the fewer go together, the last three times one alone (D-DEL-11)", () => {
    const claims = Array.from({ length: 11 }, (_, index) => index + 1)
    expect(claims.map((each) => admitted(256, each))).toEqual([256, 256, 256, 256, 64, 16, 4, 1, 1, 1, 256])
  })

  it("of too many the least often taken wait, and what is under no suspicion goes beside it", () => {
    const claimed = [taken(1, 1), taken(2, 8), taken(3, 9), taken(4, 2), taken(5, 7), taken(6, 6)]
    const { admitted, postponed } = PoisonIsolation.admit(PoisonIsolation.none, claimed, limits)
    expect([keys(admitted), keys(postponed)]).toEqual([[1, 3, 4, 5, 6], [2]])
  })

  it("what is in flight counts until it leaves, under its own lease", () => {
    const first = taken(1, 9)
    const { isolation } = PoisonIsolation.admit(PoisonIsolation.none, [first], limits)
    const after = (some: PoisonIsolation.PoisonIsolation, ...claimed: ReadonlyArray<ReturnType<typeof taken>>) =>
      keys(PoisonIsolation.admit(some, claimed, limits).admitted)
    expect(after(isolation, taken(2, 9))).toEqual([])
    // Nor may one come beside it that was taken more often.
    expect(after(isolation, taken(3, 10))).toEqual([])
    expect(after(PoisonIsolation.leave(isolation, [{ ...first, leaseId: "another" }]), taken(2, 9))).toEqual([])
    expect(after(PoisonIsolation.leave(isolation, [first]), taken(2, 9))).toEqual([2])
  })

  it("a delivery that was never claimed before is under no suspicion, however few claims there may be", () => {
    const few = { maxClaims: 3, maxInFlight: 256 }
    const { admitted, isolation } = PoisonIsolation.admit(PoisonIsolation.none, many(5, 1), few)
    expect([admitted.length, isolation.size]).toEqual([5, 0])
  })

  it("deliveries of which as many may go together as are in flight at most are not kept in mind", () => {
    expect(PoisonIsolation.admit(PoisonIsolation.none, many(9, 4), limits).isolation.size).toBe(0)
    const { isolation } = PoisonIsolation.admit(PoisonIsolation.none, many(1, 5), limits)
    expect([...isolation.values()]).toEqual([4])
  })

  it("one that was claimed more often goes beside those that leave it room", () => {
    const { isolation } = PoisonIsolation.admit(PoisonIsolation.none, many(3, 7), limits)
    expect(keys(PoisonIsolation.admit(isolation, [taken(9, 9)], limits).admitted)).toEqual([9])
  })

  it("deliveries that are to be given up are admitted beside suspects", () => {
    const claimed = [taken(1, 11), taken(2, 11), taken(3, 9)]
    expect(keys(PoisonIsolation.admit(PoisonIsolation.none, claimed, limits).admitted)).toEqual([1, 2, 3])
  })

  it("one body that kills the process is given up alone, and every other is delivered (D-DEL-11)", () => {
    fc.assert(
      fc.property(
        fc.record({
          others: fc.integer({ min: 0, max: 400 }),
          maxClaims: fc.integer({ min: 2, max: 12 }),
          maxInFlight: fc.constantFrom(3, 32, 256),
          place: fc.nat(),
          answered: fc.nat({ max: 20 })
        }),
        ({ answered, maxClaims, maxInFlight, others, place }) => {
          const poison = place % (others + 1)
          const pending = new Map(Array.from({ length: others + 1 }, (_, key): [number, number] => [key, 0]))
          const delivered = new Set<number>()
          const givenUp: Array<number> = []
          let [sends, rounds] = [0, 0]
          // What is put back goes to the end of the line.
          let line = [...pending.keys()]
          while (line.length > 0 && ++rounds < 10_000) {
            const claimed = line.slice(0, maxInFlight).map((key) => taken(key, (pending.get(key) ?? 0) + 1))
            const { admitted: go, postponed: wait } = PoisonIsolation.admit(PoisonIsolation.none, claimed, {
              maxClaims,
              maxInFlight
            })
            const gone = new Set<number>()
            const lethal = go.some(({ claims, key }) => key === poison && claims <= maxClaims)
            if (lethal) sends++
            for (const [index, { claims, key }] of go.entries()) {
              if (claims > maxClaims) givenUp.push(key)
              else if (lethal && (key === poison || index >= answered)) {
                pending.set(key, claims)
                continue
              } else delivered.add(key)
              gone.add(key)
            }
            const back = new Set(keys(wait))
            line = [...line.filter((key) => !gone.has(key) && !back.has(key)), ...back]
          }
          expect(delivered.size).toBe(others)
          expect(givenUp).toEqual([poison])
          expect(sends).toBe(maxClaims)
        }
      ),
      { numRuns: 200 }
    )
  })
})
