import type { Script } from "./Script.ts"
import type { Outgoing } from "./Service.ts"

/** The answers with which a provider refuses a start. */
interface Refusals {
  readonly refused: Outgoing
  readonly limited: Outgoing
  readonly failed: Outgoing
}

/** Returns the answer to the request that starts a call, as its script describes. `place` creates the call. */
export const answerStart = async (
  { start = "accept" }: Script,
  { failed, limited, refused }: Refusals,
  place: () => Promise<Outgoing>
): Promise<Outgoing> => {
  switch (start) {
    case "refuse":
      return refused
    case "rate_limit":
      return limited
    case "fail":
      return failed
    case "hang":
    case "cut":
      return start
    case "accept":
      return place()
    case "fail_after":
      await place()
      return failed
    case "hang_after":
      await place()
      return "hang"
    case "cut_after":
      await place()
      return "cut"
    case "garble_after":
      await place()
      return { status: 201, body: "<html>" }
  }
}
