import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject, Plugin } from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';

/**
 * Environment variable with the path of a module whose export `testEngine` is the engine of all test hosts. A relative
 * path is resolved against the working directory.
 */
export const TEST_ENGINE_VARIABLE = 'COUNTERSIGN_TEST_ENGINE';

/** Engine of test hosts. */
export interface TestEngine {
  /** The plugin that binds `EnginePort`. */
  readonly plugin: Plugin;
  /**
   * Returns the sections of the configuration of a host that select and configure the engine. Test hosts set `Server`,
   * `Data`, `Storage`, `Auth` and `Limits`, and ignore these sections here.
   *
   * @param installation a name that is different for each database: hosts that share a database share their runs
   */
  configure?(installation: string): JsonObject;
}

/**
 * Returns the engine of test hosts. `describeEngine` calls it once for each of its parts, which is about 15 times,
 * before the first host of the part starts. A cluster that all parts use must be started elsewhere, for example in a
 * hook of the surrounding suite.
 */
export type CreateTestEngine = () => TestEngine | Promise<TestEngine>;

const embeddedTestEngine: TestEngine = { plugin: engineEmbeddedPlugin };

/**
 * Returns the engine of test hosts: the embedded one, or that of the environment variable, so that the same specs run
 * on another engine.
 */
export async function loadTestEngine(): Promise<TestEngine> {
  const path = process.env[TEST_ENGINE_VARIABLE];
  if (path === undefined) return embeddedTestEngine;
  const { testEngine } = (await import(pathToFileURL(resolve(path)).href)) as { testEngine?: TestEngine };
  if (testEngine === undefined)
    throw new Error(`${path} has no export "testEngine", but ${TEST_ENGINE_VARIABLE} names it.`);
  return testEngine;
}
