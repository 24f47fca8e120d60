import * as Schema from "effect/Schema"

/**
 * The kinds of actors (D-AUD-2). The `id` of an actor says which one it is.
 *
 * - `api_key`: a request with an API key. Its database id.
 * - `person`: a person in the dashboard. The database id of the member. For another person `user:` and the id that the
 *   embedding program gives to its own user, or `session:` and the database id of the session.
 * - `operator`: the operator of the installation, a person who may be signed in to another account. The id is as that of a person.
 * - `team_mate`: another account, which changed a record that it sees through a team. The database id of that account.
 * - `program`: the program that embeds Frontdesk. It has no id.
 * - `command_line`: a command of the operator. It has no id.
 * - `worker`: a background worker of Frontdesk. Its name.
 * - `agent_tool`: a tool that an agent has used. The conversation, such as `call:17` for a call.
 * - `provider`: a report of a call provider. The name of the provider.
 * - `authorization`: the page of an external calendar on which a person has granted access. The name of its provider.
 */
export const ActorType = Schema.Literals([
  "api_key",
  "person",
  "operator",
  "team_mate",
  "program",
  "command_line",
  "worker",
  "agent_tool",
  "provider",
  "authorization"
])

/** The kinds of actors. */
export type ActorType = typeof ActorType.Type

/** The maximum number of characters of the id of an actor. */
export const maxIdLength = 200

/** The maker of a change. */
export const Actor = Schema.Struct({
  type: ActorType,
  /** Which actor of the type it is, or null for a type that has only one. */
  id: Schema.NullOr(Schema.String)
})

/** The maker of a change. */
export type Actor = typeof Actor.Type

/** The program that embeds Frontdesk: the actor of every change for which no other is set. */
export const program: Actor = { type: "program", id: null }
