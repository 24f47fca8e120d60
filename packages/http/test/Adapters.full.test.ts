import { adaptersAgree } from "./adapters.ts"

adaptersAgree(5_000)
