import { seconds } from '@countersign/testing';
import { expect } from 'chai';
import { isOnEmbedded } from '../engines/embedded-only.spec.support.js';
import { checkOddValues } from './check-odd-values.spec.support.js';

/** Set by `scripts/odd-values.mjs`; the defaults are those of the gate. */
const COMMAND_COUNT = Number(process.env['ODD_VALUES_COMMANDS'] ?? 500);
const SEED = process.env['ODD_VALUES_SEED'] ?? '1';
/** Longest delay of a job of a healthy run. The jobs of an external engine also pass through its cluster. */
const MAX_LATENESS_MS = isOnEmbedded ? seconds(1) : seconds(5);
const FIRST_COMMAND = Number(process.env['ODD_VALUES_FROM'] ?? 0);

describe('odd values', function () {
  this.timeout(0);

  it('should be refused or stored unchanged, without delaying healthy runs', async () => {
    // when
    const { faults, healthyRuns, maxLateness, counts } = await checkOddValues({
      commands: COMMAND_COUNT,
      seed: SEED,
      from: FIRST_COMMAND,
      onProgress: (completedCount, faultCount) => {
        if (completedCount % 500 === 0)
          process.stderr.write(`${completedCount} of ${COMMAND_COUNT} commands, ${faultCount} faults\n`);
      },
    });
    process.stderr.write(`${JSON.stringify({ counts, healthyRuns, worst: maxLateness })}\n`);

    // then
    expect(faults.length, `seed ${SEED}\n${faults.join('\n')}`).to.equal(0);
    expect(
      maxLateness.ms,
      `a healthy run was delayed by the commands ${maxLateness.concurrentCommands.join(', ')}`,
    ).to.be.below(MAX_LATENESS_MS);
  });
});
