// Runs as `version`, when lerna has raised the version: the plugins here are made for the plugin API of the same version.
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
