import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as MemoryStorage from "../src/MemoryStorage.ts"

storageSuite("memory", MemoryStorage.layer)
modelSuite("memory", MemoryStorage.layer, MemoryStorage.layer)
