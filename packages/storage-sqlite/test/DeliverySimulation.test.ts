import { deliverySimulation } from "@frontdesk/testing/simulation/deliverySimulation"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"

deliverySimulation("SQLite in memory", SqliteStorage.layer({ filename: ":memory:" }), { runs: 20 })
