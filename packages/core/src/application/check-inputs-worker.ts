import { parentPort } from 'node:worker_threads';
import type { InputCheck } from './check-inputs-in-worker.js';
import { validateInputs } from './validate-inputs.js';

// Worker thread of `check-inputs-in-worker.ts`, which terminates it if a check takes too long.
parentPort?.on('message', ({ digest, schema, inputs }: InputCheck) => {
  parentPort?.postMessage({ errors: validateInputs(digest, schema, inputs) ?? null });
});
parentPort?.postMessage('ready');
