#!/usr/bin/env node
"use strict"

require("./requireNode.cjs")
// Caches compiled code, which makes the next start faster. The cache is inside the package and not in a shared temporary
// folder, where another user could replace the code.
require("module").enableCompileCache(require("path").join(__dirname, "../node_modules/.cache/compiled"))
import("../dist/bin/main.js")
