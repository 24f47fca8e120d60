// The account of this server, and an API key for it.
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ProvisioningDocument } from "@frontdesk/core/provisioning/ProvisioningDocument"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const document = {
  accounts: [
    {
      ref: "clinic",
      name: "The clinic",
      time_zone: "Europe/Paris",
      reject_conflicts: true,
      api_keys: [{ ref: "desk", name: "Front desk", permissions: ["can_read_calendar", "can_write_calendar"] }]
    }
  ]
}

/** Creates the account at the first start and returns the value of its API key. Returns undefined at later starts. */
export const provision = Effect.gen(function* () {
  const provisioning = yield* Provisioning
  const decoded = yield* Schema.decodeUnknownEffect(ProvisioningDocument)(document)
  const { apiKeys } = yield* provisioning.apply(decoded)
  return apiKeys["desk"]?.key
})
