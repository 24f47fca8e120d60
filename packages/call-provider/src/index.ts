export * as RetellCallProvider from "./retell/RetellCallProvider.ts"
export * as SimulatedCallProvider from "./SimulatedCallProvider.ts"
export * as TwilioCallProvider from "./twilio/TwilioCallProvider.ts"
export * as VapiCallProvider from "./vapi/VapiCallProvider.ts"
