import * as Schema from "effect/Schema"

/** The direction of a call, as the agent sees it (C-2.2-2): it placed the call, or answered it. */
export const CallDirection = Schema.Literals(["outbound", "inbound"])

/** The direction of a call. */
export type CallDirection = typeof CallDirection.Type
