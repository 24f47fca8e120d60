#!/usr/bin/env node
"use strict"

// The same command in a checkout, where nothing is built.
require("./requireNode.cjs")
// `main.ts` does the same. Here it also applies to `main.ts` itself, without which Node would load its compiler of types.
require("module").enableCompileCache(require("path").join(__dirname, "../node_modules/.cache/compiled"))
import("../src/main.ts")
