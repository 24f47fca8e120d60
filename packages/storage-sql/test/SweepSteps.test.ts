import { sweepSteps } from "./sweepSteps.ts"

sweepSteps(1_050)
