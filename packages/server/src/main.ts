import process from "node:process"
import { run } from "./cli/Cli.ts"
import { runProgram } from "./cli/RunProgram.ts"

runProgram(run(process.argv.slice(2)))
