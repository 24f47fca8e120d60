import { adaptersAgree } from "../../../http/test/adapters.ts"
import { byListener } from "./byListener.ts"

adaptersAgree("the reference server", byListener, 500)
