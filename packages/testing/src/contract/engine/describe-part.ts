import type { EngineCapability } from '@countersign/model';
import type { TestHostOptions } from '../../host/create-test-host.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { checkHistories } from './check-histories.js';
import { EngineHost } from './engine-host.js';

/** Returns the host of the current part. */
export type GetHost = () => EngineHost;

/** Options of the host of a part: what it needs besides the engine. */
export interface PartOptions extends Pick<TestHostOptions, 'plugins'> {
  /** BPMN files to deploy. */
  readonly models?: readonly string[];
  /** The part is skipped for an engine without this capability. */
  readonly capability?: EngineCapability;
}

export const DEFAULT_JOB_TYPES = ['work', 'other', 'undo'];

/** Time limit of a test. The test runner of this repository scales it to the speed of the machine. */
export const TIMEOUT_MS = 60_000;

/**
 * Describes a part of the contract on a host that starts before its tests. At the end, all histories of the host are
 * checked.
 */
export function describePart(
  title: string,
  create: CreateTestEngine,
  { models = [], capability, ...options }: PartOptions,
  define: (getHost: GetHost) => void,
): void {
  describe(title, function () {
    this.timeout(TIMEOUT_MS);
    let host: EngineHost | undefined;
    const getHost: GetHost = () => {
      if (host === undefined) throw new Error('The host is available only while a test runs.');
      return host;
    };

    before(async function () {
      host = await EngineHost.start({ ...options, engine: await create(), jobTypes: DEFAULT_JOB_TYPES });
      if (capability !== undefined && !host.engine.capabilities.has(capability)) this.skip();
      for (const model of models) await host.host.deploy(model);
    });

    after(() => host?.host.close());

    define(getHost);

    it('should leave valid histories without open work', () => checkHistories(getHost()));
  });
}
