import { byEffectServer } from "../adapters.ts"
import { answersOverSockets } from "./sockets.ts"

answersOverSockets("a server of Effect", byEffectServer)
