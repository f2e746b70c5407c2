/* Ends the process in one line where Node is older than package.json asks for. Written in the JavaScript of 2009. */
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
