import { deliverySimulation } from "@frontdesk/testing/simulation/deliverySimulation"
import * as SqliteStorage from "../src/SqliteStorage.ts"

deliverySimulation("SQLite in memory", SqliteStorage.layer({ filename: ":memory:" }), { runs: 20 })
