import { MemoryStorage } from "@frontdesk/storage-memory"
import { deliverySimulation } from "@frontdesk/testing/simulation/deliverySimulation"

deliverySimulation("memory", MemoryStorage.layer, { runs: 60 })
