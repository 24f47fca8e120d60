import { MemoryStorage } from "@frontdesk/storage-memory"
import { reminderCrashSuite } from "@frontdesk/testing/suite/reminderCrashSuite"

reminderCrashSuite("memory", MemoryStorage.layer, { runs: 40 })
