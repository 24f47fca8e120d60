import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"

callProviderSuite("simulated", SimulatedCallProvider.layer({ pace: 1 }), {
  accepted: "+12025550111",
  refused: "+12025550003"
})
