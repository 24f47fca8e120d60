import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"

callProviderSuite("simulated", SimulatedCallProvider.layer({ pace: 1 }), {
  acceptedNumber: "+12025550111",
  refusedNumber: "+12025550003"
})
