import { MemoryStorage } from "@frontdesk/storage-memory"
import { fundLawSuite } from "@frontdesk/testing/suite/fundLawSuite"

fundLawSuite("memory", MemoryStorage.layer, { runs: 60 })
