import { adaptersAgree, byEffectServer } from "./adapters.ts"

adaptersAgree("a server of Effect", byEffectServer, 700)
