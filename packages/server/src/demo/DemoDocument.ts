import { ProvisioningDocument } from "@frontdesk/core/provisioning/ProvisioningDocument"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The ref of the demo account and of its key in the provisioning document. */
export const demoRef = "demo"

/** Returns the provisioning document of the demo account: two agents, two contacts, and a key with all permissions. */
export const make = (key: Redacted.Redacted<string>): Effect.Effect<ProvisioningDocument> =>
  Effect.orDie(
    Schema.decodeEffect(ProvisioningDocument)({
      accounts: [
        {
          ref: demoRef,
          name: "Demo",
          balance: 100,
          price_per_minute: 0.1,
          time_zone: "America/New_York",
          working_hours: {
            mon: [["09:00", "17:00"]],
            tue: [["09:00", "17:00"]],
            wed: [["09:00", "12:00"]],
            thu: [["09:00", "17:00"]],
            fri: [["09:00", "15:00"]]
          },
          api_keys: [{ ref: demoRef, name: "Demo", permissions: ["*"], key: Redacted.value(key) }],
          agents: [
            {
              ref: "ada",
              name: "Ada",
              role: "outbound agent",
              assistant_id: "asst_ada",
              phone_number: "+12025550100",
              model: "demo",
              voice_id: "ada"
            },
            { ref: "ben", name: "Ben", role: "inbound agent", assistant_id: "asst_ben", model: "demo", voice_id: "ben" }
          ],
          contacts: [
            {
              ref: "jo",
              first_name: "Jo",
              last_name: "Miller",
              email: "jo@example.com",
              company: "Miller & Sons",
              tags: ["demo"],
              phone_numbers: [{ phone_number: "+12025550111", phone_type: "mobile", primary: true }]
            },
            {
              ref: "max",
              first_name: "Max",
              last_name: "Stone",
              email: "max@example.com",
              tags: ["demo"],
              phone_numbers: [{ phone_number: "+12025550112", phone_type: "work", primary: true }]
            }
          ]
        }
      ]
    })
  )
