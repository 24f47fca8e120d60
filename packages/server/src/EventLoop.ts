import { performance } from "node:perf_hooks"

/** Returns a number that changes with each turn of the event loop. */
export const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount
