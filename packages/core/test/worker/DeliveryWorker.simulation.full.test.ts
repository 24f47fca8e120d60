import process from "node:process"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { deliverySimulation } from "@frontdesk/testing/simulation/deliverySimulation"

/** The number of simulated histories. A nightly run sets a larger one in the environment. */
const runs = Number(process.env["FRONTDESK_SIMULATION_RUNS"] ?? 2_000)

deliverySimulation("memory", MemoryStorage.layer, { runs, timeout: 60_000 + runs * 100 })
