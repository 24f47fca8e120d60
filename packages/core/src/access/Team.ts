import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"

/** Database id of a team. */
export const TeamId = DatabaseId.pipe(Schema.brand("TeamId"))

/** Database id of a team. */
export type TeamId = typeof TeamId.Type

/** A team as other resources show it, such as calls (C-2.2-5) and calendar events (C-2.5-7). */
export const TeamRef = Schema.Struct({ id: TeamId, name: Schema.String })

/** A team as other resources show it. */
export type TeamRef = typeof TeamRef.Type
