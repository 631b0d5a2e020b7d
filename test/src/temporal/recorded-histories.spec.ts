import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporalEngine } from './temporal-server.spec.support.js';

const REPLAY = fileURLToPath(new URL('replay-process.js', import.meta.url));

const isInstalled = temporalEngine !== undefined;
const describeIfInstalled = isInstalled ? describe : describe.skip;

describeIfInstalled(
  `recorded histories of workflows${isInstalled ? '' : ' (skipped: run npm run install:temporal)'}`,
  function () {
    this.timeout(60_000);

    // Otherwise, an upgrade ends and restarts workflows and their jobs. Let the workflows ask the SDK (`patched`)
    // whether a history is older than a change, and add a history with record-histories.ts.
    it('should all be replayed by the current workflows', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [REPLAY]);
      // The SDK also logs to the standard output.
      const errors = JSON.parse(stdout.split('\n').at(-1) ?? '') as Record<string, string | null>;

      expect(Object.keys(errors)).to.have.length.of.at.least(7);
      expect(Object.entries(errors).filter(([, error]) => error !== null)).to.deep.equal([]);
    });
  },
);
