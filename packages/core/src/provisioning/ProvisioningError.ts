import * as Schema from "effect/Schema"
import { FieldProblem } from "../values/ValidationError.ts"

/** A provisioning document that cannot be applied; nothing was changed. */
export class ProvisioningError extends Schema.TaggedError<ProvisioningError>(
  "@frontdesk/core/provisioning/ProvisioningError"
)("ProvisioningError", { problems: Schema.NonEmptyArray(FieldProblem) }) {}
