import { MemoryStorage } from "@frontdesk/storage-memory"
import { bookingCrashSuite } from "@frontdesk/testing/suite/bookingCrashSuite"

bookingCrashSuite("memory", MemoryStorage.layer, { runs: 200 })
