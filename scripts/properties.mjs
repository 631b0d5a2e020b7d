// Checks more random BPMN models than the suite: npm run properties -- --models 1000000 --seed 7
// It starts a process for each core. The seed determines all models. A failure prints the seed and the path that
// reproduce it: npm run properties -- --models 1000 --seed 7 --path 12:0:3
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const CHECK_MODULE = '../packages/interpreter/dist/properties/check-models.spec.support.js';
/** Models in a batch. The models of a batch do not depend on the number of processes. */
const BATCH_SIZE = 2_000;

const options = {
  models: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
  path: { type: 'string' },
};

/** Returns the number of an option, or exits with an error. @param {string} name @param {string} value */
function parseWholeNumber(name, value) {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0) return number;
  process.stderr.write(`--${name} must be a whole number.\n`);
  process.exit(1);
}

async function checkBatch({ models, seed, path }) {
  const { checkModels } = await import(CHECK_MODULE);
  await checkModels({ models, seed, ...(path === undefined ? {} : { path }) });
}

if (process.send !== undefined) {
  process.on('message', async (batch) => {
    const failure = await checkBatch(batch).then(
      () => null,
      (error) => `${error.message}\n${error.cause?.message ?? ''}`,
    );
    process.send?.({ batch, failure });
  });
} else {
  const { values } = parseArgs({ options });
  const [models, seed] = [parseWholeNumber('models', values.models), parseWholeNumber('seed', values.seed)];
  const batches = Array.from({ length: Math.ceil(models / BATCH_SIZE) }, (_, index) => ({
    models: Math.min(BATCH_SIZE, models - index * BATCH_SIZE),
    seed: seed + index,
    ...(values.path === undefined ? {} : { path: values.path }),
  }));
  let [checkedCount, failureCount] = [0, 0];
  const startTime = performance.now();
  const sendNextBatch = (worker) => {
    const batch = batches.shift();
    if (batch === undefined) worker.disconnect();
    else worker.send(batch);
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), batches.length) }, () =>
    fork(fileURLToPath(import.meta.url)),
  );
  await Promise.all(
    workers.map((worker) => {
      worker.on('message', ({ batch, failure }) => {
        checkedCount += batch.models;
        if (failure !== null) {
          failureCount += 1;
          process.stdout.write(`seed ${batch.seed}: ${failure}\n`);
        }
        process.stderr.write(
          `${checkedCount} of ${models} models, ${Math.round((performance.now() - startTime) / 1000)} s, ${failureCount} failures\n`,
        );
        sendNextBatch(worker);
      });
      sendNextBatch(worker);
      return new Promise((resolve) => worker.on('exit', resolve));
    }),
  );
  if (failureCount > 0 || checkedCount < models) process.exitCode = 1;
}
