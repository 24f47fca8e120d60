import { AuthenticationRequired } from "@frontdesk/core/access/AccessError"
import { PresentedKey } from "@frontdesk/core/access/ApiKeys"
import * as Input from "@frontdesk/core/values/Input"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

const form = /^Bearer +([^\s]+) *$/i

/**
 * Returns the API key of an `Authorization` header. Fails with `AuthenticationRequired` when the header is absent or
 * has another scheme than Bearer (C-5-1, D-KEY-1).
 */
export const bearer = (
  authorization: string | undefined
): Result.Result<Redacted.Redacted<string>, AuthenticationRequired> => {
  const value = authorization === undefined ? undefined : form.exec(authorization)?.[1]
  return value === undefined
    ? Result.fail(new AuthenticationRequired({}))
    : Result.succeed(Input.remember(PresentedKey, Redacted.make(value, { label: "api key" })))
}
