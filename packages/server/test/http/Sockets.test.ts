import { answersOverSockets } from "../../../http/test/request/sockets.ts"
import { byListener } from "./byListener.ts"

answersOverSockets("the reference server", byListener)
