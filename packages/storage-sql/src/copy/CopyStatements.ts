import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { CopyFailed } from "./CopyError.ts"
import type { RawRow } from "./CopyRow.ts"

/** Runs statements in one of the two databases of a copy. */
export interface CopyStatements {
  /** Returns the error for a failure of this database. */
  readonly failed: (cause: unknown) => CopyFailed
  /** Runs a statement and returns its decoded rows. */
  readonly all: <A>(
    row: Schema.ConstraintDecoder<A>,
    text: string,
    params?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<A>, CopyFailed>
  /** Runs a statement and ignores its rows. */
  readonly run: (text: string, params?: ReadonlyArray<unknown>) => Effect.Effect<void, CopyFailed>
  /** Runs a statement and returns its rows in chunks. */
  readonly stream: (text: string) => Stream.Stream<RawRow, CopyFailed>
}
