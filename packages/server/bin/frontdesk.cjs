#!/usr/bin/env node
"use strict"

require("./requireNode.cjs")
import("../dist/main.js")
