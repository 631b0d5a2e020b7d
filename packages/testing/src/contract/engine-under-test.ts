import type { JsonObject, Plugin } from '@countersign/core';

/** An engine for `describeEngine`. */
export interface EngineUnderTest {
  /** The plugin that binds `EnginePort`. */
  readonly engine: Plugin;
  /** The part of the configuration file that selects and configures the engine, such as `Engine:Adapter`. */
  readonly configuration?: JsonObject;
}

/**
 * Returns the engine for a new installation, with a database of its own. It is called once for each part of the suite,
 * so an engine whose cluster is shared can give each installation its own names.
 */
export type CreateEngineUnderTest = () => EngineUnderTest | Promise<EngineUnderTest>;
