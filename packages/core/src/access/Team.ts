import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"

/** Database id of a team. */
export const TeamId = DatabaseId.pipe(Schema.brand("TeamId"))

/** Database id of a team. */
export type TeamId = typeof TeamId.Type
