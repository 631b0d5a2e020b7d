// Writes the notices of all third-party packages that are part of a bundle.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LICENSES_FILE, MODULES_FILE } from './bundle-metadata.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const RULE = '='.repeat(80);
const INTRODUCTION =
  'Third-party notices\n\nThis software includes the following packages, under the licences that stand below each of them.\n';

/** Packages that name their licence but come without its text. The texts are those of their repositories, or name the author of `package.json`. */
const SUPPLIED = Object.freeze({
  '@cfworker/json-schema': 'cfworker-json-schema.txt',
  'lazy-val': 'lazy-val.txt',
  'react-remove-scroll-bar': 'react-remove-scroll-bar.txt',
});

/** Modules that build tools add, by the beginning of their names; `undefined`: our own. */
const ADDED = Object.freeze({ '\0vite/': 'vite', '\0rolldown/': 'rolldown', '\0no-validator': undefined });

/**
 * @param {readonly string[]} outputs directories that Vite built into, with what it collected of licences
 * @param {string} target file of the notices
 * @throws {Error} for a bundled package whose licence is not known
 */
export function writeNotices(outputs, target) {
  const packages = new Map();
  for (const output of outputs) {
    const licences = JSON.parse(readFileSync(join(output, LICENSES_FILE), 'utf8'));
    const modules = JSON.parse(readFileSync(join(output, MODULES_FILE), 'utf8'));
    for (const directory of packagesOf(modules)) {
      const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
      const collected = licences.find((each) => each.name === name && each.version === version);
      const text = collected?.text ?? licenceText(directory, name);
      if (text === undefined || license === undefined)
        throw new Error(
          `${name} ${version} is bundled, but its licence is not known. Add its text to scripts/notices/licences.`,
        );
      packages.set(`${name} ${version}`, {
        license,
        text: [text, noticeText(directory)].filter((part) => part !== undefined).join('\n\n'),
      });
    }
    rmSync(join(output, LICENSES_FILE));
  }
  const notices = [...packages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([title, { license, text }]) =>
        `${RULE}\n${title} (${license})\n${RULE}\n\n${text.replace(/\r\n?/g, '\n').trim()}\n`,
    );
  writeFileSync(target, [INTRODUCTION, ...notices].join('\n'));
}

/** Directories of the packages that modules belong to. */
function packagesOf(modules) {
  const directories = new Set();
  for (const id of modules) {
    const inPackage = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
    if (id.startsWith('\0')) {
      const prefix = Object.keys(ADDED).find((each) => id.startsWith(each));
      if (prefix === undefined)
        throw new Error(`It is not known which package the module ${JSON.stringify(id)} comes from.`);
      if (ADDED[prefix] !== undefined)
        directories.add(dirname(createRequire(import.meta.url).resolve(`${ADDED[prefix]}/package.json`)));
    } else if (inPackage !== undefined) directories.add(join(REPOSITORY, inPackage));
  }
  return directories;
}

function licenceText(directory, name) {
  const file = Object.hasOwn(SUPPLIED, name)
    ? fileURLToPath(new URL(`licences/${SUPPLIED[name]}`, import.meta.url))
    : fileIn(directory, /^licen[cs]e/i);
  // What follows in the licence file of Vite is about packages in Vite itself.
  return file === undefined
    ? undefined
    : readFileSync(file, 'utf8').split(/^# Licenses of bundled dependencies$/m, 1)[0];
}

/** Apache-2.0, section 4(d). */
function noticeText(directory) {
  const file = fileIn(directory, /^notice(\.|$)/i);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

function fileIn(directory, pattern) {
  const name = existsSync(directory) ? readdirSync(directory).find((each) => pattern.test(each)) : undefined;
  return name === undefined ? undefined : join(directory, name);
}
