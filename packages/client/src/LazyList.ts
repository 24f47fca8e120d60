import type { List } from "./common.ts"

/** A {@link List} that reads each page when it is needed. */
export class LazyList<Row, Page> implements List<Row, Page> {
  readonly [Symbol.toStringTag] = "List"
  readonly #first: () => Promise<Page>
  readonly #rows: () => AsyncIterator<Row>

  constructor(first: () => Promise<Page>, rows: () => AsyncIterator<Row>) {
    this.#first = first
    this.#rows = rows
  }

  // oxlint-disable-next-line unicorn/no-thenable -- A list can be awaited.
  then<A = Page, B = never>(
    onFulfilled?: ((page: Page) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    return this.#first().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.#first().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Page> {
    return this.#first().finally(onFinally)
  }

  [Symbol.asyncIterator](): AsyncIterator<Row> {
    return this.#rows()
  }
}
