/** Corrects manifests of packages from the registry at install. */
function readPackage(manifest) {
  // It writes types with the compiler's JavaScript interface, which TypeScript 7 does not have.
  if (manifest.name === "openapi-typescript") {
    delete manifest.peerDependencies.typescript;
    manifest.dependencies.typescript = "5.9.3";
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
