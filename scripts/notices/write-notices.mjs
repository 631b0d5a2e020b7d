// Writes the notices of all third-party packages in a bundle.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LICENSES_FILE, MODULES_FILE } from './bundle-metadata.mjs';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const RULE = '='.repeat(80);
const INTRODUCTION =
  'Third-party notices\n\nThis software includes the following packages, under the licences that stand below each of them.\n';

/**
 * Files with the licence texts of packages that do not contain them. The texts are from the repositories of the
 * packages, or name the author in `package.json`.
 */
const LICENCE_FILES = Object.freeze({
  '@cfworker/json-schema': 'cfworker-json-schema.txt',
  'lazy-val': 'lazy-val.txt',
  'react-remove-scroll-bar': 'react-remove-scroll-bar.txt',
});

/** Files with the licences of what packages contain of others, relative to the package. */
const FURTHER_LICENCE_FILES = Object.freeze({
  'pdfjs-dist': [
    'standard_fonts/LICENSE_FOXIT',
    'standard_fonts/LICENSE_LIBERATION',
    'cmaps/LICENSE',
    'wasm/LICENSE_OPENJPEG',
    'wasm/LICENSE_PDFJS_OPENJPEG',
  ],
});

/** Packages of modules that build tools add, by the prefix of the module name; `undefined` for our own modules. */
const MODULE_PREFIXES = Object.freeze({
  '\0vite/': 'vite',
  '\0rolldown/': 'rolldown',
  '\0no-validator': undefined,
  '\0virtual:mantine-styles': undefined,
  '\0virtual:pdf-data': 'pdfjs-dist',
});

/**
 * Writes the notices, and deletes the collected licences.
 *
 * @param {readonly string[]} outputs output directories of Vite, with the collected licences
 * @param {string} target file of the notices
 * @throws {Error} if the licence of a bundled package is unknown
 */
export function writeNotices(outputs, target) {
  const packages = new Map();
  for (const output of outputs) {
    const licences = JSON.parse(readFileSync(join(output, LICENSES_FILE), 'utf8'));
    const modules = JSON.parse(readFileSync(join(output, MODULES_FILE), 'utf8'));
    for (const directory of findPackageDirectories(modules)) {
      const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
      const collected = licences.find((each) => each.name === name && each.version === version);
      const text = collected?.text ?? readLicenceText(directory, name);
      if (text === undefined || license === undefined)
        throw new Error(
          `${name} ${version} is bundled, but its licence is unknown. Add its text to scripts/notices/licences.`,
        );
      packages.set(`${name} ${version}`, {
        license,
        text: [text, readNoticeText(directory), ...readFurtherLicences(directory, name)]
          .filter((part) => part !== undefined)
          .join('\n\n'),
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

/** Returns the directories of the packages that modules belong to. */
function findPackageDirectories(modules) {
  const directories = new Set();
  for (const id of modules) {
    const packagePath = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
    if (id.startsWith('\0')) {
      const prefix = Object.keys(MODULE_PREFIXES).find((each) => id.startsWith(each));
      if (prefix === undefined)
        throw new Error(
          `The package of the module ${JSON.stringify(id)} is unknown. Add the prefix of the module to MODULE_PREFIXES in scripts/notices/write-notices.mjs.`,
        );
      if (MODULE_PREFIXES[prefix] !== undefined)
        directories.add(dirname(createRequire(import.meta.url).resolve(`${MODULE_PREFIXES[prefix]}/package.json`)));
    } else if (packagePath !== undefined) directories.add(join(REPOSITORY, packagePath));
  }
  return directories;
}

function readLicenceText(directory, name) {
  const file = Object.hasOwn(LICENCE_FILES, name)
    ? fileURLToPath(new URL(`licences/${LICENCE_FILES[name]}`, import.meta.url))
    : findFile(directory, /^licen[cs]e/i);
  // The rest of the licence file of Vite is about packages that Vite bundles.
  return file === undefined
    ? undefined
    : readFileSync(file, 'utf8').split(/^# Licenses of bundled dependencies$/m, 1)[0];
}

/** Reads the NOTICE file of a package (Apache-2.0, section 4(d)). */
function readNoticeText(directory) {
  const file = findFile(directory, /^notice(\.|$)/i);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

/** Returns the licences of what a package contains of others. */
function readFurtherLicences(directory, name) {
  const files = Object.hasOwn(FURTHER_LICENCE_FILES, name) ? FURTHER_LICENCE_FILES[name] : [];
  return files.map((file) => `${file}:\n\n${readFileSync(join(directory, file), 'utf8').trim()}`);
}

function findFile(directory, pattern) {
  const name = existsSync(directory) ? readdirSync(directory).find((each) => pattern.test(each)) : undefined;
  return name === undefined ? undefined : join(directory, name);
}
