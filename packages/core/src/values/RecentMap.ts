/**
 * A bounded map of the values that were used most recently: of `maxSize` at most, and of the last half as many at least.
 *
 * It has two generations. A key that is used moves to the young one, and when that is full, the old one is dropped as a
 * whole. So a key in use is found without a change of the map. If the map were changed at each use instead (delete the
 * key, then set it again), it would allocate a new table every few uses, and V8 would keep whatever the tables refer to
 * until the next full garbage collection.
 */
export class RecentMap<K, V> {
  readonly #maxSize: number
  readonly #youngSize: number
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
    this.#youngSize = Math.max(1, Math.floor(maxSize / 2))
  }

  /** Returns the value of a key, which thereby counts as used. */
  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) {
      this.#old.delete(key)
      this.set(key, old)
    }
    return old
  }

  /** Sets the value of a key, which thereby counts as used. */
  set(key: K, value: V): void {
    if (this.#maxSize === 0) return
    if (this.#young.size >= this.#youngSize && !this.#young.has(key)) {
      this.#old = this.#maxSize === 1 ? new Map<K, V>() : this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
    this.#old.delete(key)
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    yield* this.#old
    yield* this.#young
  }
}
