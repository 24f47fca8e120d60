import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { ServerNode } from "./ServerNode.ts"

/** Port: where the processes of an installation report themselves, so that the operator sees all of them. */
export class ServerNodeStore extends Context.Service<
  ServerNodeStore,
  {
    /** Stores what a process reports, in place of the last report under its name. */
    readonly report: (node: ServerNode) => Effect.Effect<void, StorageError>
    /** Returns the processes, those that reported last first, and at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<ServerNode>, StorageError>
    /** Deletes a process. Does nothing when another process has taken its name, which is one with another start. */
    readonly delete: (node: Pick<ServerNode, "name" | "startedAt">) => Effect.Effect<void, StorageError>
    /** Deletes processes that last reported before an instant, the earliest first, up to the limit. Returns how many. */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/operator/ServerNodeStore") {}
