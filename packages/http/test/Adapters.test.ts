import { adaptersAgree } from "./adapters.ts"

adaptersAgree(500)
