import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"

/** Adds the index that finds the agents of a phone number, for inbound calls. */
export const agentPhoneNumbers = ConcurrentIndexes.migration([
  { name: "agent_phone_number", table: "agent", definition: "(phone_number, id) WHERE phone_number IS NOT NULL" }
])
