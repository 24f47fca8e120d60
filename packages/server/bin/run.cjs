// Runs a file of this checkout: node packages/server/bin/run.cjs FILE [ARGUMENTS]. Old JavaScript, as in requireNode.cjs.
"use strict"

require("./requireNode.cjs")

// Removes this file from `process.argv`, so that the program finds its own path and arguments in their usual places.
process.argv.splice(1, 2, require("path").resolve(process.argv[2]))
import(require("url").pathToFileURL(process.argv[1]).href)
