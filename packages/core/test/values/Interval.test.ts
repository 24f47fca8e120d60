import { type Interval, ordered, union, without } from "@frontdesk/core/values/Interval"
import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Intervals written as pairs of start and end. */
type Pairs = ReadonlyArray<readonly [number, number]>

const intervals = (pairs: Pairs): ReadonlyArray<Interval> => pairs.map(([start, end]) => ({ start, end }))
const pairs = (list: ReadonlyArray<Interval>): Pairs => list.map(({ end, start }) => [start, end])

describe("Interval.ordered", () => {
  it("ordered returns a list that is in order itself, also with equal starts and empty intervals", () => {
    const list = intervals([
      [1, 5],
      [1, 2],
      [3, 3],
      [4, 6]
    ])
    expect(ordered(list)).toBe(list)
  })

  it.each<[string, Pairs, Pairs]>([
    [
      "sorts intervals by their starts",
      [
        [10, 20],
        [5, 15]
      ],
      [
        [5, 15],
        [10, 20]
      ]
    ],
    [
      "leaves out empty and reversed intervals of a list that is not in order",
      [
        [10, 20],
        [5, 5],
        [8, 2],
        [1, 3]
      ],
      [
        [1, 3],
        [10, 20]
      ]
    ]
  ])("ordered %s", (_, list, expected) => {
    expect(pairs(ordered(intervals(list)))).toEqual(expected)
  })

  it("ordered sorts numbers by their value, not by their text", () => {
    const list: Pairs = [
      [100, 101],
      [9, 10],
      [-1, 0]
    ]
    expect(pairs(ordered(intervals(list)))).toEqual(list.toReversed())
  })
})

describe("Interval.union", () => {
  it.each<[string, Pairs, Pairs]>([
    ["returns no interval for an empty list", [], []],
    [
      "leaves out empty and reversed intervals",
      [
        [1, 1],
        [2, 0],
        [3, 4],
        [5, 5]
      ],
      [[3, 4]]
    ],
    [
      "merges intervals that touch or overlap",
      [
        [1, 3],
        [3, 5],
        [4, 8]
      ],
      [[1, 8]]
    ],
    [
      "keeps the later end of an interval that contains another",
      [
        [1, 9],
        [2, 3],
        [4, 9]
      ],
      [[1, 9]]
    ],
    [
      "keeps intervals with a gap between them",
      [
        [5, 6],
        [1, 2],
        [3, 4]
      ],
      [
        [1, 2],
        [3, 4],
        [5, 6]
      ]
    ]
  ])("union %s", (_, list, expected) => {
    expect(pairs(union(intervals(list)))).toEqual(expected)
  })
})

describe("Interval.without", () => {
  const busy = intervals([
    [10, 20],
    [30, 40]
  ])

  it.each<[string, readonly [number, number], Pairs]>([
    [
      "keeps both parts around an interval within another",
      [12, 15],
      [
        [10, 12],
        [15, 20],
        [30, 40]
      ]
    ],
    [
      "cuts the ends of intervals that overlap the removed one",
      [15, 35],
      [
        [10, 15],
        [35, 40]
      ]
    ],
    ["removes intervals that are covered completely", [10, 20], [[30, 40]]],
    [
      "removes the start of an interval",
      [5, 15],
      [
        [15, 20],
        [30, 40]
      ]
    ],
    [
      "changes nothing for an interval between two others that touches both",
      [20, 30],
      [
        [10, 20],
        [30, 40]
      ]
    ]
  ])("without %s", (_, [start, end], expected) => {
    expect(pairs(without(busy, { start, end }))).toEqual(expected)
  })

  it("without returns intervals that only touch the removed one as the same objects", () => {
    expect(without(busy, { start: 20, end: 30 }).map((interval, index) => interval === busy[index])).toEqual([
      true,
      true
    ])
  })
})

describe("laws of Interval", () => {
  const time = fc.integer({ min: 0, max: 40 })
  const list = fc.array(fc.record({ start: time, end: time }), { maxLength: 12 })
  const instants = Array.from({ length: 41 }, (_, instant) => instant)
  const covered = (list: ReadonlyArray<Interval>): ReadonlyArray<number> =>
    instants.filter((instant) => list.some(({ end, start }) => start <= instant && instant < end))

  it("ordered and union cover the same instants as the list", () => {
    fc.assert(
      fc.property(list, (list) => {
        expect(covered(ordered(list))).toEqual(covered(list))
        expect(covered(union(list))).toEqual(covered(list))
      })
    )
  })

  it("ordered sorts busy times of a calendar by their starts, and like union covers the same instants", () => {
    fc.assert(
      fc.property(arbitrary.busy({ from: 0, to: 50_000_000, maxLength: 30 }), (busy) => {
        const sorted = ordered(busy)
        expect(sorted.map(({ start }) => start)).toEqual(sorted.map(({ start }) => start).toSorted((a, b) => a - b))
        // What a list covers changes only at the edges of its intervals.
        const edges = busy.flatMap(({ end, start }) => [start - 1, start, end - 1, end])
        const covers = (list: ReadonlyArray<Interval>, instant: number): boolean =>
          list.some(({ end, start }) => start <= instant && instant < end)
        for (const edge of edges) {
          expect(covers(sorted, edge)).toBe(covers(busy, edge))
          expect(covers(union(busy), edge)).toBe(covers(busy, edge))
        }
      })
    )
  })

  it("union returns non-empty intervals in order with a gap between them, and is unchanged by a second union", () => {
    fc.assert(
      fc.property(list, (list) => {
        const merged = union(list)
        for (const [index, { end, start }] of merged.entries()) {
          expect(end).toBeGreaterThan(start)
          expect(start).toBeGreaterThan(merged[index - 1]?.end ?? -1)
        }
        expect(union(merged)).toEqual(merged)
      })
    )
  })

  it("without covers the instants of the list that are not in the removed interval", () => {
    fc.assert(
      fc.property(list, time, fc.integer({ min: 1, max: 40 }), (list, start, length) => {
        const removed = { start, end: start + length }
        const rest = without(union(list), removed)
        expect(covered(rest)).toEqual(covered(list).filter((instant) => !covered([removed]).includes(instant)))
        expect(rest.every(({ end, start }) => end > start)).toBe(true)
      })
    )
  })
})
