export * as SimulatedCallProvider from "./SimulatedCallProvider.ts"
