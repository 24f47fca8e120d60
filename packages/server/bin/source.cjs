#!/usr/bin/env node
"use strict"

// The same command in a checkout.
require("./requireNode.cjs")
require("./checkout.cjs").start(require("path").join(__dirname, "../src/main.ts"))
