// Runs a file of this checkout from a bundle: node packages/server/bin/bundled.cjs FILE [ARGUMENTS]
"use strict"

require("./requireNode.cjs")

// Removes this file from `process.argv`, as run.cjs does.
process.argv.splice(1, 2, require("path").resolve(process.argv[2]))
require("./checkout.cjs").start(process.argv[1])
