import * as Schema from "effect/Schema"
import { TeamId } from "./Team.ts"

/** A team as other resources show it, such as calls (C-2.2-5) and calendar events (C-2.5-7). */
export const TeamRef = Schema.Struct({ id: TeamId, name: Schema.String })

/** A team as other resources show it. */
export type TeamRef = typeof TeamRef.Type
