import { MemoryStorage } from "@frontdesk/storage-memory"
import { inboundCallsSuite } from "@frontdesk/testing/suite/inboundCallsSuite"

inboundCallsSuite("memory", MemoryStorage.layer, { runs: 200 })
