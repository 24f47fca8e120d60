import { describe, expect, it } from "@effect/vitest"
import * as PoisonIsolation from "@frontdesk/core/delivery/PoisonIsolation"
import * as fc from "fast-check"

/** A delivery with a number of claims, including the present one, under a lease of its own. */
const claimedTimes = (key: number, claims: number) => ({ key, leaseId: `lease ${claims}`, claims })

const keys = (deliveries: ReadonlyArray<{ readonly key: number }>) => deliveries.map(({ key }) => key)

const many = (count: number, claims: number) => Array.from({ length: count }, (_, key) => claimedTimes(key, claims))

const limits = { maxClaims: 10, maxInFlight: 256 }

const admitted = (count: number, claims: number) =>
  PoisonIsolation.admit(PoisonIsolation.empty, many(count, claims), limits).admitted.length

describe("PoisonIsolation", () => {
  it("deliveries with more claims are sent with fewer others like them, and one at a time at the last three claims (D-DEL-11)", () => {
    // At the 11th claim all are admitted, because they are given up unsent.
    const claims = Array.from({ length: 11 }, (_, index) => index + 1)
    expect(claims.map((number) => admitted(256, number))).toEqual([256, 256, 256, 256, 64, 16, 4, 1, 1, 1, 256])
  })

  it("of too many limited deliveries those with the fewest claims are postponed, and unlimited ones are sent", () => {
    const claimed = [
      claimedTimes(1, 1),
      claimedTimes(2, 8),
      claimedTimes(3, 9),
      claimedTimes(4, 2),
      claimedTimes(5, 7),
      claimedTimes(6, 6)
    ]
    const { admitted, postponed } = PoisonIsolation.admit(PoisonIsolation.empty, claimed, limits)
    expect([keys(admitted), keys(postponed)]).toEqual([[1, 3, 4, 5, 6], [2]])
  })

  it("a delivery in flight limits others until it is removed with its own lease", () => {
    const first = claimedTimes(1, 9)
    const { isolation } = PoisonIsolation.admit(PoisonIsolation.empty, [first], limits)
    const after = (some: PoisonIsolation.PoisonIsolation, ...claimed: ReadonlyArray<ReturnType<typeof claimedTimes>>) =>
      keys(PoisonIsolation.admit(some, claimed, limits).admitted)
    expect(after(isolation, claimedTimes(2, 9))).toEqual([])
    // A delivery with more claims must not be sent beside it either.
    expect(after(isolation, claimedTimes(3, 10))).toEqual([])
    expect(after(PoisonIsolation.remove(isolation, [{ ...first, leaseId: "another" }]), claimedTimes(2, 9))).toEqual([])
    expect(after(PoisonIsolation.remove(isolation, [first]), claimedTimes(2, 9))).toEqual([2])
  })

  it("deliveries at their first claim are never limited, even with a small maxClaims", () => {
    const few = { maxClaims: 3, maxInFlight: 256 }
    const { admitted, isolation } = PoisonIsolation.admit(PoisonIsolation.empty, many(5, 1), few)
    expect([admitted.length, isolation.size]).toEqual([5, 0])
  })

  it("deliveries whose limit is not below maxInFlight are not tracked", () => {
    expect(PoisonIsolation.admit(PoisonIsolation.empty, many(9, 4), limits).isolation.size).toBe(0)
    const { isolation } = PoisonIsolation.admit(PoisonIsolation.empty, many(1, 5), limits)
    expect([...isolation.values()]).toEqual([4])
  })

  it("a delivery with more claims is sent beside others while the limits of both allow it", () => {
    const { isolation } = PoisonIsolation.admit(PoisonIsolation.empty, many(3, 7), limits)
    expect(keys(PoisonIsolation.admit(isolation, [claimedTimes(9, 9)], limits).admitted)).toEqual([9])
  })

  it("deliveries that are to be given up are admitted beside limited ones", () => {
    const claimed = [claimedTimes(1, 11), claimedTimes(2, 11), claimedTimes(3, 9)]
    expect(keys(PoisonIsolation.admit(PoisonIsolation.empty, claimed, limits).admitted)).toEqual([1, 2, 3])
  })

  it("a delivery that kills the process is given up after maxClaims, and every other delivery is delivered (D-DEL-11)", () => {
    fc.assert(
      fc.property(
        fc.record({
          others: fc.integer({ min: 0, max: 400 }),
          maxClaims: fc.integer({ min: 2, max: 12 }),
          maxInFlight: fc.constantFrom(3, 32, 256),
          place: fc.nat(),
          // How many deliveries of a batch are answered before the poison kills the process.
          answered: fc.nat({ max: 20 })
        }),
        ({ answered, maxClaims, maxInFlight, others, place }) => {
          const poison = place % (others + 1)
          const pending = new Map(Array.from({ length: others + 1 }, (_, key): [number, number] => [key, 0]))
          const delivered = new Set<number>()
          const givenUp: Array<number> = []
          let [sends, rounds] = [0, 0]
          // A postponed delivery goes to the end of the queue.
          let queue = [...pending.keys()]
          while (queue.length > 0 && ++rounds < 10_000) {
            const claimed = queue.slice(0, maxInFlight).map((key) => claimedTimes(key, (pending.get(key) ?? 0) + 1))
            const { admitted: sent, postponed } = PoisonIsolation.admit(PoisonIsolation.empty, claimed, {
              maxClaims,
              maxInFlight
            })
            const settled = new Set<number>()
            const kills = sent.some(({ claims, key }) => key === poison && claims <= maxClaims)
            if (kills) sends++
            for (const [index, { claims, key }] of sent.entries()) {
              if (claims > maxClaims) givenUp.push(key)
              else if (kills && (key === poison || index >= answered)) {
                pending.set(key, claims)
                continue
              } else delivered.add(key)
              settled.add(key)
            }
            const last = new Set(keys(postponed))
            queue = [...queue.filter((key) => !settled.has(key) && !last.has(key)), ...last]
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
