import { sweepSteps } from "./sweepSteps.ts"

sweepSteps(100_000)
