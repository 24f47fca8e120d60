/** An entry of a {@link LinkedList}. */
export interface Entry<A> {
  readonly value: A
  previous: Entry<A> | undefined
  next: Entry<A> | undefined
}

/**
 * A list that keeps the order of insertion, and from which each entry can be removed in constant time.
 *
 * For entries that come and go with every request it is better than a `Set`. A set allocates a new table every few
 * changes, and the old table refers to the new one. Once a table has outlived its youth, V8 therefore keeps every later
 * table, with the requests in it, until the next full garbage collection, and each minor one takes many times longer.
 */
export class LinkedList<A> {
  #first: Entry<A> | undefined
  #last: Entry<A> | undefined

  add(value: A): Entry<A> {
    const entry: Entry<A> = { value, previous: this.#last, next: undefined }
    if (this.#last === undefined) this.#first = entry
    else this.#last.next = entry
    this.#last = entry
    return entry
  }

  /** Removes an entry. Returns false if it was removed before. */
  remove(entry: Entry<A>): boolean {
    const { next, previous } = entry
    if (previous === undefined && this.#first !== entry) return false
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    // A removed entry would otherwise keep its neighbours from being collected.
    entry.previous = undefined
    entry.next = undefined
    return true
  }

  get first(): Entry<A> | undefined {
    return this.#first
  }

  /** Returns the present entries. The list may change meanwhile. */
  entries(): ReadonlyArray<Entry<A>> {
    const entries: Array<Entry<A>> = []
    for (let entry = this.#first; entry !== undefined; entry = entry.next) entries.push(entry)
    return entries
  }
}
