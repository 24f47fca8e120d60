/** Any JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** The last argument of every operation. */
export interface RequestOptions {
  /** Stops the request and its retries: the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /**
   * The `Idempotency-Key` of a POST. The server executes requests with the same key once. Default: a random key for each
   * call, which its retries share. Name one to repeat the call in another process.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * A list. `await` gives the requested page as the API answers it. `for await` gives the rows of that page and of all pages
 * behind it. Nothing is sent before the one or the other.
 */
export interface List<Row, Page> extends Promise<Page>, AsyncIterable<Row> {}
