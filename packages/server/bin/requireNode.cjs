// Old JavaScript, so that an old Node can run this file. The other files would only give it an unclear syntax error.
"use strict"

var range = require("../package.json").engines.node
var least = range.replace(">=", "").split(".").map(Number)
var present = process.versions.node.split(".").map(Number)

if (present[0] < least[0] || (present[0] === least[0] && present[1] < least[1])) {
  console.error(
    "frontdesk: Node " +
      least.join(".") +
      " or newer is needed, this is " +
      process.versions.node +
      ". Without it: npx -y -p node@26 -p frontdesk frontdesk, or in a checkout npx -y -p node@26 -p pnpm@12 -c 'pnpm start'"
  )
  process.exit(2)
}
