// Writes what each spec file took and whether it started other processes, as a line of JSON {file, seconds, hasStartedProcesses},
// to the file that COUNTERSIGN_TEST_FILES names. Mocha's root hooks run around each file where files run in parallel.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const target = process.env['COUNTERSIGN_TEST_FILES'];
let hasStartedProcesses = false;
/** When this process became free: what loading the file took belongs to it. In milliseconds as of `performance.now()`. */
let free = 0;

// https://nodejs.org/api/diagnostics_channel.html#child-process: of those that run beside the test, not of `spawnSync` and its like.
subscribe('child_process', () => {
  hasStartedProcesses = true;
});

export const mochaHooks = {
  afterAll() {
    const file = this.test?.parent?.suites[0]?.file;
    if (target === undefined || file === undefined) return;
    const now = performance.now();
    appendFileSync(
      target,
      `${JSON.stringify({ file: relative(process.cwd(), file), seconds: (now - free) / 1000, hasStartedProcesses })}\n`,
    );
    free = now;
    hasStartedProcesses = false;
  },
};
