import * as Schema from "effect/Schema"

/** Database id of a team. */
export const TeamId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("TeamId"))

/** Database id of a team. */
export type TeamId = typeof TeamId.Type

/** A team as other resources show it. */
export const TeamRef = Schema.Struct({ id: TeamId, name: Schema.String })

/** A team as other resources show it. */
export type TeamRef = typeof TeamRef.Type
