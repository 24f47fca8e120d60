import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { SlotHolder } from "../availability/SlotHold.ts"
import type { StepLimit } from "../background/Steps.ts"
import type { CallId } from "./Call.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ToolCall } from "./ToolCall.ts"

/** What a repeat of a tool call has in common with the first one. */
export interface RepeatKey {
  readonly accountId: AccountId
  readonly conversation: SlotHolder
  readonly tool: string
  /** The digest of the arguments, of 1 to 64 characters. */
  readonly digest: string
}

/** Port: stores the tool calls of agents. */
export class ToolCallStore extends Context.Service<
  ToolCallStore,
  {
    /**
     * Stores a tool call with the digest of its arguments, and returns it with its id. Its call must exist and belong to
     * the same account.
     */
    readonly insert: (call: Omit<ToolCall, "id">, digest: string) => Effect.Effect<ToolCall, StorageError>
    /** Returns the newest tool call with this key: the one with the highest id. */
    readonly last: (key: RepeatKey) => Effect.Effect<Option.Option<ToolCall>, StorageError>
    /**
     * Returns the tool calls of a call of the account, the earliest first and those of the same time in the order of their
     * ids, at most `limit` of them. A tool call may be stored after a later one. They are deleted with the call.
     */
    readonly ofCall: (
      accountId: AccountId,
      callId: CallId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ToolCall>, StorageError>
    /** Returns how many tool calls of a call of the account are stored. */
    readonly countOfCall: (accountId: AccountId, callId: CallId) => Effect.Effect<number, StorageError>
    /**
     * Deletes tool calls without a call that are from before an instant, the oldest first, and returns how many it deleted:
     * at most those of one step, and 0 when none is left.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
    /**
     * Deletes the arguments and the answers of tool calls that are from before an instant and whose calls ended before it,
     * the oldest first. Both are null afterwards, and `last` no longer returns these tool calls. Returns how many changed:
     * at most those of one step, and 0 when none is left. The limit's bytes count the arguments and the answers.
     */
    readonly sweepContents: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/call/ToolCallStore") {}
