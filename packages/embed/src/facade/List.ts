import type { List, Page } from "../types/common.ts"

/** A page whose rows may lack their large fields, which `whole` reads again. */
export interface Pages<A> {
  /** Reads the page that the caller requested. */
  readonly first: () => Promise<Page<A>>
  /** Reads the pages of all rows, counted from 0: the first one begins where the requested page does. Null without pages. */
  readonly next: ((index: number) => Promise<Page<A>>) | null
  /** Reads a row again with its large fields. Returns undefined when it was deleted meanwhile. */
  readonly whole: (row: A) => Promise<A | undefined>
}

/** Returns a list that reads nothing before it is awaited or iterated. */
export const make = <A>({ first, next, whole }: Pages<A>): List<A> => {
  let requested: Promise<Page<A>> | undefined
  const page = (): Promise<Page<A>> => (requested ??= first())

  async function* rows(): AsyncGenerator<A, void, undefined> {
    if (next === null) return yield* (await page()).items
    for (let index = 0; ; index++) {
      const { items, limit, truncated = [] } = await next(index)
      const short = new Set<unknown>(truncated)
      for (const item of items) {
        const row = short.size > 0 && short.has(idOf(item)) ? await whole(item) : item
        if (row !== undefined) yield row
      }
      if (items.length < limit) return
    }
  }

  return {
    // oxlint-disable-next-line unicorn/no-thenable -- A list is a promise that starts when it is awaited.
    then: (onFulfilled, onRejected) => page().then(onFulfilled, onRejected),
    catch: (onRejected) => page().catch(onRejected),
    finally: (onFinally) => page().finally(onFinally),
    [Symbol.toStringTag]: "List",
    [Symbol.asyncIterator]: rows
  }
}

const idOf = (row: unknown): unknown => (typeof row === "object" && row !== null && "id" in row ? row.id : undefined)
