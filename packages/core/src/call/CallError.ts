import * as Schema from "effect/Schema"
import { Money } from "../values/Money.ts"

/** No call the caller can see has this id (C-7-18: 404 `not_found`). */
export class CallNotFound extends Schema.TaggedError<CallNotFound>("@frontdesk/core/call/CallNotFound")(
  "CallNotFound",
  { call: Schema.String }
) {}

/** The agent has no phone number to call from (C-4.2-2, D-CALL-6: 400 `agent_phone_number_missing`). */
export class AgentPhoneNumberMissing extends Schema.TaggedError<AgentPhoneNumberMissing>(
  "@frontdesk/core/call/AgentPhoneNumberMissing"
)("AgentPhoneNumberMissing", { agentId: Schema.Int }) {}

/** The number carries the do-not-call flag on a contact of the account (D-DNC-5: 403 `do_not_call`). */
export class DoNotCall extends Schema.TaggedError<DoNotCall>("@frontdesk/core/call/DoNotCall")("DoNotCall", {
  phoneNumber: Schema.String
}) {}

/** The account has as many running calls as it may (D-CALL-7: 429 `concurrency_limit_reached`). */
export class ConcurrencyLimitReached extends Schema.TaggedError<ConcurrencyLimitReached>(
  "@frontdesk/core/call/ConcurrencyLimitReached"
)("ConcurrencyLimitReached", { limit: Schema.Int }) {}

/** The balance does not cover the price of the first minute (C-4.2-3, D-CALL-6: 402 `insufficient_funds`). */
export class InsufficientFunds extends Schema.TaggedError<InsufficientFunds>("@frontdesk/core/call/InsufficientFunds")(
  "InsufficientFunds",
  { balance: Money, required: Money }
) {}

/** The provider refused the call; the call is kept as failed and costs nothing (D-CALL-10: 502 or 503). */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>("@frontdesk/core/call/ProviderRefused")(
  "ProviderRefused",
  { callId: Schema.String, code: Schema.String, reason: Schema.String, retryable: Schema.Boolean }
) {}

/** The provider cannot be asked for such a call; nothing is stored (D-CALL-11: 502 `provider_error`). */
export class CallNotPlaceable extends Schema.TaggedError<CallNotPlaceable>("@frontdesk/core/call/CallNotPlaceable")(
  "CallNotPlaceable",
  { code: Schema.String, reason: Schema.String }
) {}

/** The number to call is not in E.164 form (D-CALL-2: 400 `invalid_phone_number`). */
export class InvalidPhoneNumber extends Schema.TaggedError<InvalidPhoneNumber>(
  "@frontdesk/core/call/InvalidPhoneNumber"
)("InvalidPhoneNumber", { phoneNumber: Schema.String }) {}

/** The provider has not said that it ended the call, which may go on (D-PROV-1: 503 `provider_unavailable`). */
export class CallNotHungUp extends Schema.TaggedError<CallNotHungUp>("@frontdesk/core/call/CallNotHungUp")(
  "CallNotHungUp",
  { callId: Schema.String, cause: Schema.String }
) {}
