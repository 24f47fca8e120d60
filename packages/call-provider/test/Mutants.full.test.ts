import { SimulatedCallProvider } from "@frontdesk/call-provider"
import * as CallProviderMutants from "@frontdesk/testing/mutant/callProvider"
import * as InboundQuestionMutants from "@frontdesk/testing/mutant/inboundQuestion"
import { mutantSuite } from "@frontdesk/testing/mutant/mutantSuite"
import { callProviderSuite } from "@frontdesk/testing/suite/callProviderSuite"
import { afterAll } from "vitest"
import { openRetell, openTwilio, openVapi } from "./counterparts.ts"

const options = await openVapi()
afterAll(() => options[Symbol.asyncDispose]())

const twilio = await openTwilio()
afterAll(() => twilio[Symbol.asyncDispose]())

const retell = await openRetell()
afterAll(() => retell[Symbol.asyncDispose]())

mutantSuite("CallProvider", CallProviderMutants.callProvider, (mutate, runner) => {
  const provider = mutate(options.counterpart.provider)
  callProviderSuite("Vapi", provider, { ...options, counterpart: { ...options.counterpart, provider }, runner })
})

mutantSuite("CallProvider.ingest of questions", InboundQuestionMutants.inboundQuestion, (mutate, runner) => {
  const provider = mutate(twilio.counterpart.provider)
  callProviderSuite("Twilio", provider, { ...twilio, counterpart: { ...twilio.counterpart, provider }, runner })
})

mutantSuite("CallProvider.ingest of questions of Retell", InboundQuestionMutants.inboundQuestion, (mutate, runner) => {
  const provider = mutate(retell.counterpart.provider)
  callProviderSuite("Retell", provider, { ...retell, counterpart: { ...retell.counterpart, provider }, runner })
})

mutantSuite("CallProvider.reports", CallProviderMutants.reports, (mutate, runner) =>
  callProviderSuite("simulated", mutate(SimulatedCallProvider.layer({ pace: 1 })), {
    acceptedNumber: "+12025550111",
    refusedNumber: "+12025550003",
    runner
  })
)
