// Engines on which the specs of the product run: node scripts/test.mjs --engine NAME SUITE …
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} TestEngine
 * @property {string} module built module whose export `testEngine` is the engine of the test hosts
 * @property {string} setup built module that Mocha requires, which starts what the engine needs; its export `obstacle`
 *   is why the engine is unavailable here, if so
 */

/** @type {Readonly<Record<string, TestEngine>>} */
export const TEST_ENGINES = {
  temporal: { module: 'test/dist/temporal/test-engine.js', setup: 'test/dist/temporal/mocha-global-setup.js' },
};

/** Returns an engine by its name; `undefined` if there is none. @param {string} name */
export function findTestEngine(name) {
  return Object.hasOwn(TEST_ENGINES, name) ? TEST_ENGINES[name] : undefined;
}

/**
 * Returns why an engine is unavailable on this machine, if so.
 *
 * @param {TestEngine} engine
 * @returns {Promise<string | undefined>}
 */
export async function findObstacle({ setup }) {
  return (await import(pathToFileURL(resolve(root, setup)).href)).obstacle;
}

/**
 * Returns whether a spec runs on all engines: it uses the product as a whole, through test hosts or the command.
 *
 * @param {string} spec path as returned by `findSpecFiles`
 */
export function runsOnAllEngines(spec) {
  return /^test\/src\//.test(spec) && !SPECS_OF_ONE_ENGINE.test(spec);
}

/** Specs without an engine, and specs that select their engine themselves. */
const SPECS_OF_ONE_ENGINE =
  /^test\/src\/(?:ci|conformance|contract|differential|docs|engines|faults|install|models|recovery|temporal)\//;
