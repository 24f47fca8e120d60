/**
 * Returns a generator of numbers from 0 up to but not including 1. The same seed gives the same numbers (mulberry32).
 */
export const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a seed that depends only on these texts and numbers (FNV-1a). */
export const seedOf = (...parts: ReadonlyArray<string | number>): number => {
  let hash = 0x811c9dc5
  for (const unit of parts.join("\0")) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
