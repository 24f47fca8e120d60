import { simultaneousRequests } from "./simultaneousRequests.ts"

simultaneousRequests("two nodes with simultaneous requests", 50)
