import { simultaneous } from "./simultaneousRequests.ts"

simultaneous("two nodes that are asked at the same time", 50)
