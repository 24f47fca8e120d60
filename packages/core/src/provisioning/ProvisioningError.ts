import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { TeamAccessDenied, TeamNotFound } from "../access/AccessError.ts"
import { type LimitReached, limitText } from "../access/AccountLimits.ts"
import { StorageError } from "../storage/StorageError.ts"
import { FieldProblem } from "../values/FieldProblem.ts"
import { invalid } from "../values/FieldProblems.ts"
import type { ValidationError } from "../values/ValidationError.ts"

/** A provisioning document cannot be applied. Nothing was changed. */
export class ProvisioningError extends Schema.TaggedError<ProvisioningError>(
  "@frontdesk/core/provisioning/ProvisioningError"
)("ProvisioningError", { problems: Schema.NonEmptyArray(FieldProblem) }) {}

const refuse = (field: string, message: string): ProvisioningError =>
  new ProvisioningError({ problems: [{ field, code: invalid, message }] })

const placed =
  (field: string) =>
  ({ problems }: ValidationError): ProvisioningError =>
    new ProvisioningError({
      problems: Arr.map(problems, (problem) => ({ ...problem, field: `${field}.${problem.field}` }))
    })

/** Turns the errors of creating a key into `ProvisioningError`s at the key's path in the document. */
export const refuseKey =
  (field: string) =>
  <A, R>(
    effect: Effect.Effect<A, ValidationError | LimitReached | StorageError, R>
  ): Effect.Effect<A, ProvisioningError | StorageError, R> =>
    effect.pipe(
      refuseDuplicate(`${field}.key`, "Another key has this value"),
      Effect.catchTags({
        LimitReached: (error) => refuse(field, limitText(error)),
        ValidationError: placed(field)
      })
    )

/** Turns a `duplicate` `StorageError` into a `ProvisioningError` at a path in the document. */
export const refuseDuplicate =
  (field: string, message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | StorageError, R>) =>
    Effect.mapError(effect, (error) =>
      error instanceof StorageError && error.reason === "duplicate" ? refuse(field, message) : error
    )

/**
 * Turns the errors of creating a contact into `ProvisioningError`s at the contact's path in the document. A contact
 * names its team by id and not by ref. So only the creation finds a team that does not exist or that the account is not
 * in.
 */
export const refuseContact =
  (field: string) =>
  <A, R>(
    effect: Effect.Effect<A, ValidationError | TeamNotFound | TeamAccessDenied | LimitReached | StorageError, R>
  ): Effect.Effect<A, ProvisioningError | StorageError, R> =>
    Effect.catchTags(effect, {
      ValidationError: placed(field),
      TeamNotFound: () => refuse(`${field}.team_id`, "No team has this id"),
      TeamAccessDenied: () => refuse(`${field}.team_id`, "The account is not in this team"),
      LimitReached: (error) => refuse(field, limitText(error))
    })
