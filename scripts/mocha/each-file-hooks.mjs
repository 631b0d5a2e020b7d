// Records the duration of each spec file, and whether it started other processes, in the file that
// COUNTERSIGN_TEST_FILES names: as a line of JSON {file, seconds, hasStartedProcesses}. When Mocha runs files in
// parallel, it runs root hooks once for each file.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const outputFile = process.env['COUNTERSIGN_TEST_FILES'];
let hasStartedProcesses = false;
/**
 * End of the previous file in this process, in milliseconds of `performance.now()`. The duration of a file starts here,
 * so that it includes the time to load the file.
 */
let previousFileEnd = 0;

// This channel reports only asynchronously started processes, not `spawnSync` and similar functions:
// https://nodejs.org/api/diagnostics_channel.html#child-process
subscribe('child_process', () => {
  hasStartedProcesses = true;
});

export const mochaHooks = {
  afterAll() {
    const file = this.test?.parent?.suites[0]?.file;
    if (outputFile === undefined || file === undefined) return;
    const now = performance.now();
    appendFileSync(
      outputFile,
      `${JSON.stringify({ file: relative(process.cwd(), file), seconds: (now - previousFileEnd) / 1000, hasStartedProcesses })}\n`,
    );
    previousFileEnd = now;
    hasStartedProcesses = false;
  },
};
