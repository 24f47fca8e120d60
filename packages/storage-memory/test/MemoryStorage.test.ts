import { accountStoreSuite } from "@frontdesk/testing/suite/accountStoreSuite"
import { agentStoreSuite } from "@frontdesk/testing/suite/agentStoreSuite"
import { apiKeyStoreSuite } from "@frontdesk/testing/suite/apiKeyStoreSuite"
import { installationStoreSuite } from "@frontdesk/testing/suite/installationStoreSuite"
import { teamStoreSuite } from "@frontdesk/testing/suite/teamStoreSuite"
import { transactionSuite } from "@frontdesk/testing/suite/transactionSuite"
import * as MemoryStorage from "../src/MemoryStorage.ts"

for (const s of [accountStoreSuite, agentStoreSuite, apiKeyStoreSuite, installationStoreSuite, teamStoreSuite, transactionSuite]) s("memory", MemoryStorage.layer)
