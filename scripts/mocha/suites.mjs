// Which suite a spec file belongs to is decided by its folder. `npm test` runs those for each change, `npm run test:all` all.
import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {RegExp} [folders] of the repository, whose specs it holds; without, what no other suite holds
 * @property {boolean} [isForEachChange] whether `npm test` and the gate run it
 * @property {boolean} drivesProcesses whether its specs may be retried where they have started others (a browser, Electron, servers)
 */

/** The last whose folders hold a spec has it. @type {readonly Suite[]} */
export const SUITES = [
  { name: 'unit', isForEachChange: true, drivesProcesses: false },
  { name: 'end-to-end', isForEachChange: true, folders: /^test\/src\/end-to-end\//, drivesProcesses: true },
  { name: 'web', folders: /^test\/src\/web\//, drivesProcesses: true },
  { name: 'desktop', folders: /^test\/src\/desktop\//, drivesProcesses: true },
  { name: 'recovery', folders: /^test\/src\/(?:faults|recovery)\//, drivesProcesses: true },
  { name: 'agents', folders: /^test\/src\/(?:agents|mcp|security)\//, drivesProcesses: true },
  { name: 'cli', folders: /^test\/src\/(?:cli|examples|install|start)\//, drivesProcesses: true },
  {
    name: 'postgres',
    folders:
      /^packages\/(?:embedded-postgres\/src|plugins\/storage-postgres\/src\/(?:interleavings|large-tables)|testing\/src\/contract\/odd-settings)\//,
    drivesProcesses: true,
  },
  { name: 'models', folders: /^packages\/interpreter\/src\/properties\//, drivesProcesses: false },
  { name: 'sweeps', folders: /\/sweeps\//, drivesProcesses: true },
];

/** @param {string} name @returns {Suite | undefined} */
export function suiteNamed(name) {
  return SUITES.find((suite) => suite.name === name);
}

/** @param {string} spec as `specFiles` names it */
export function suiteOf(spec) {
  const suite = SUITES.findLast(({ folders }) => folders?.test(spec) ?? true);
  if (suite === undefined) throw new Error(`No suite holds ${spec}.`);
  return suite;
}

/** All spec files, as they stand in the repository: `test/src/http/runs.spec.ts`. */
export function specFiles() {
  const packages = ['test', ...foldersIn('packages'), ...foldersIn('packages/plugins'), ...foldersIn('examples')];
  return packages.flatMap((directory) => specsIn(join(directory, 'src'))).sort();
}

/** The spec file that somebody names, also by what is built of it, from where they are. @param {string} name */
export function specNamed(name) {
  return relative(root, resolve(name)).replace('/dist/', '/src/').replace(/\.js$/, '.ts');
}

/** What the compiler makes of a spec file, which is what Mocha runs. @param {string} spec */
export function builtFile(spec) {
  return spec.replace('/src/', '/dist/').replace(/\.tsx?$/, '.js');
}

/** @param {string} directory of the repository */
function foldersIn(directory) {
  return readdirSync(join(root, directory)).map((name) => join(directory, name));
}

/** @param {string} directory */
function specsIn(directory) {
  try {
    return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.spec\.tsx?$/.test(name))
      .map((name) => relative(root, join(root, directory, name)));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []; // no package
    throw error;
  }
}
