import { simultaneousRequests } from "./simultaneousRequests.ts"

// SimultaneousRequests.full.test.ts checks the same rules with nodes in separate processes.
simultaneousRequests("two nodes in one process with simultaneous requests", 16, { isInProcess: true })
