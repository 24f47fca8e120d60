import process from "node:process"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { deliverySimulation } from "@frontdesk/testing/simulation/deliverySimulation"

/** How many histories happen; a night's worth is asked for in the environment. */
const runs = Number(process.env["FRONTDESK_SIMULATION_RUNS"] ?? 2_000)

deliverySimulation("memory", MemoryStorage.layer, { runs, timeout: 60_000 + runs * 100 })
