import { modelSuite } from "@frontdesk/testing/suite/modelSuite"
import { storageSuite } from "@frontdesk/testing/suite/storageSuite"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll } from "vitest"
import * as MemoryStorage from "../src/MemoryStorage.ts"

storageSuite("memory", MemoryStorage.layer)
modelSuite("memory", MemoryStorage.layer, MemoryStorage.layer)

// Here all suites share one storage. A test must not depend on what other tests have left in it.
const shared = ManagedRuntime.make(Layer.fresh(MemoryStorage.layer))
const storage = Layer.effectContext(shared.contextEffect)
storageSuite("memory, shared", storage)
modelSuite("memory, shared", storage, MemoryStorage.layer)
afterAll(() => shared.dispose())
