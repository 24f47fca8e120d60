import { MemoryStorage } from "@frontdesk/storage-memory"
import { callNodesSuite } from "@frontdesk/testing/suite/callNodesSuite"

callNodesSuite("memory", MemoryStorage.layer, { runs: 30 })
