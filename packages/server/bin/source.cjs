#!/usr/bin/env node
"use strict"

// The same command in a checkout, where nothing is built.
require("./requireNode.cjs")
import("../src/main.ts")
