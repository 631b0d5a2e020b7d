// The folder of a spec file decides its suite. `npm test` runs the suites for each change, `npm run test:all` runs all
// suites.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A package that is built only if its dependencies are installed. */
const OPTIONAL_PACKAGE = join('packages', 'plugins', 'engine-temporal');

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {RegExp} [folders] the folders whose specs belong to the suite; if omitted, all specs of no other suite
 * @property {boolean} [runsOnEachChange] whether `npm test` and the gate run the suite
 * @property {boolean} startsProcesses whether its specs start other processes (a browser, Electron, servers); such
 *   specs may be retried
 */

/**
 * All suites. If the folders of several suites match a spec, it belongs to the last of them.
 *
 * @type {readonly Suite[]}
 */
export const SUITES = [
  { name: 'unit', runsOnEachChange: true, startsProcesses: false },
  { name: 'end-to-end', runsOnEachChange: true, folders: /^test\/src\/end-to-end\//, startsProcesses: true },
  { name: 'web', folders: /^test\/src\/web\//, startsProcesses: true },
  { name: 'desktop', folders: /^test\/src\/desktop\//, startsProcesses: true },
  { name: 'recovery', folders: /^test\/src\/(?:faults|recovery)\//, startsProcesses: true },
  { name: 'agents', folders: /^test\/src\/(?:agents|mcp|security)\//, startsProcesses: true },
  { name: 'cli', folders: /^test\/src\/(?:cli|examples|install|start)\//, startsProcesses: true },
  {
    name: 'postgres',
    folders:
      /^packages\/(?:embedded-postgres\/src|plugins\/storage-postgres\/src\/(?:interleavings|large-tables)|testing\/src\/contract\/odd-settings)\//,
    startsProcesses: true,
  },
  { name: 'properties', folders: /^packages\/interpreter\/src\/properties\//, startsProcesses: false },
  {
    name: 'temporal',
    folders: /^(?:test\/src\/temporal|packages\/plugins\/engine-temporal\/src)\//,
    startsProcesses: true,
  },
  { name: 'sweeps', folders: /\/sweeps\//, startsProcesses: true },
];

/** @param {string} name @returns {Suite | undefined} */
export function findSuite(name) {
  return SUITES.find((suite) => suite.name === name);
}

/** Returns the suite of a spec file. @param {string} spec path as returned by `findSpecFiles` */
export function getSuite(spec) {
  const suite = SUITES.findLast(({ folders }) => folders?.test(spec) ?? true);
  if (suite === undefined) throw new Error(`No suite contains ${spec}.`);
  return suite;
}

/** Returns the paths of all spec files in the repository, such as `test/src/http/runs.spec.ts`. */
export function findSpecFiles() {
  const packages = ['test', ...listFolders('packages'), ...listFolders('packages/plugins'), ...listFolders('examples')];
  return packages
    .filter((directory) => directory !== OPTIONAL_PACKAGE || existsSync(join(root, directory, 'dist')))
    .flatMap((directory) => listSpecs(join(directory, 'src')))
    .sort();
}

/**
 * Returns the path in the repository of a spec file that a user names.
 *
 * @param {string} path of the source or the built file, relative to the working directory
 */
export function resolveSpecFile(path) {
  return relative(root, resolve(path)).replace('/dist/', '/src/').replace(/\.js$/, '.ts');
}

/** Returns the compiled file of a spec file, which Mocha runs. @param {string} spec */
export function getBuiltFile(spec) {
  return spec.replace('/src/', '/dist/').replace(/\.tsx?$/, '.js');
}

/** @param {string} directory path in the repository */
function listFolders(directory) {
  return readdirSync(join(root, directory)).map((name) => join(directory, name));
}

/** @param {string} directory path in the repository */
function listSpecs(directory) {
  try {
    return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.spec\.tsx?$/.test(name))
      .map((name) => relative(root, join(root, directory, name)));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []; // not a package
    throw error;
  }
}
