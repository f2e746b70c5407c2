/* Exits with a one-line message if Node is older than package.json requires. Written in ES5 so that any Node can parse it. */
var wanted = /^>=(\d+)\.(\d+)$/.exec(require("../package.json").engines.node);
var actual = process.versions.node.split(".");
var major = Number(actual[0]);
var isNewEnough = major > Number(wanted[1]) || (major === Number(wanted[1]) && Number(actual[1]) >= Number(wanted[2]));

if (!isNewEnough) {
  console.error(
    "Workspace needs Node " + wanted[1] + "." + wanted[2] + " or later; this is " + process.versions.node + ".",
  );
  process.exit(1);
}
