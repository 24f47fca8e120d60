import { MemoryStorage } from "@frontdesk/storage-memory"
import { statisticLawSuite } from "@frontdesk/testing/suite/statisticLawSuite"

statisticLawSuite("memory", MemoryStorage.layer, { runs: 50 })
