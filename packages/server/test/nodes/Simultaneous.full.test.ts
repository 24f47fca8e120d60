import { simultaneous } from "./simultaneous.ts"

simultaneous("two nodes that are asked at the same time", 50)
