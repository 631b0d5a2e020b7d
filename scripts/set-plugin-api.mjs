// Sets the plugin API range in the manifests of this repository's plugins to the current version, and the version of the
// engine for Temporal, which is not a workspace. lerna runs this script as `version`, after it has raised the version.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../lerna.json', import.meta.url), 'utf8'));
for (const folder of ['packages/plugins', 'examples', '.']) {
  for (const { name } of readdirSync(new URL(`../${folder}/`, import.meta.url), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory(),
  )) {
    const file = new URL(`../${folder}/${name}/package.json`, import.meta.url);
    const manifest = readJson(file);
    if (manifest?.countersign === undefined) continue;
    manifest.countersign.api = `^${version}`;
    if (manifest.countersign.id === 'engine-temporal') {
      manifest.version = version;
      for (const peer of Object.keys(manifest.peerDependencies).filter((peer) => peer.startsWith('@countersign/')))
        manifest.peerDependencies[peer] = `^${version}`;
    }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
