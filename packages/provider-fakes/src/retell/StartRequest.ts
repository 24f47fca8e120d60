import { at } from "../Fake.ts"
import type { Outgoing } from "../Service.ts"
import { error } from "./Errors.ts"
import { objectAt } from "./Resources.ts"

const e164 = /^\+[1-9]\d{6,14}$/

/** Returns why Retell refuses the body of `POST /v2/create-phone-call`, or undefined when it accepts the body. */
export const problemOf = (request: Readonly<Record<string, unknown>>): Outgoing | undefined => {
  for (const name of ["from_number", "to_number"]) {
    const number = request[name]
    if (typeof number !== "string" || !e164.test(number)) return error(400, `${name} must be in E.164 format`)
  }
  if (typeof request["override_agent_id"] !== "string") {
    return error(400, "No outbound agent id set up for the from number, and override_agent_id is not provided")
  }
  const variables = Object.values(objectAt(request, "retell_llm_dynamic_variables"))
  if (variables.some((value) => typeof value !== "string")) {
    return error(400, "retell_llm_dynamic_variables must have string values")
  }
  const maxMillis = at(request, "agent_override", "agent", "max_call_duration_ms") ?? 3_600_000
  if (typeof maxMillis !== "number" || maxMillis < 60_000 || maxMillis > 7_200_000) {
    return error(400, "max_call_duration_ms must be between 60000 and 7200000")
  }
  return undefined
}
