import { MemoryStorage } from "@frontdesk/storage-memory"
import { callCrashSuite } from "@frontdesk/testing/suite/callCrashSuite"

callCrashSuite("memory", MemoryStorage.layer, { runs: 200 })
