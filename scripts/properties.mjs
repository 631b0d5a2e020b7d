// Checks random models beyond those of the suite: npm run properties -- --models 1000000 --seed 7
// One process for each core; all models follow from the seed. A failure prints the seed and the path that show it again:
// npm run properties -- --models 1000 --seed 7 --path 12:0:3
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const CHECK = '../packages/interpreter/dist/properties/check-models.spec.support.js';
/** Models of one portion: what is drawn for a portion does not depend on how many processes there are. */
const PORTION = 2_000;

const options = {
  models: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
  path: { type: 'string' },
};

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  process.stderr.write(`--${name} takes a whole number.\n`);
  process.exit(1);
}

async function checkPortion({ models, seed, path }) {
  const { checkModels } = await import(CHECK);
  await checkModels({ models, seed, ...(path === undefined ? {} : { path }) });
}

if (process.send !== undefined) {
  process.on('message', async (portion) => {
    const failure = await checkPortion(portion).then(
      () => null,
      (error) => `${error.message}\n${error.cause?.message ?? ''}`,
    );
    process.send?.({ portion, failure });
  });
} else {
  const { values } = parseArgs({ options });
  const [models, seed] = [wholeNumber('models', values.models), wholeNumber('seed', values.seed)];
  const portions = Array.from({ length: Math.ceil(models / PORTION) }, (_, index) => ({
    models: Math.min(PORTION, models - index * PORTION),
    seed: seed + index,
    ...(values.path === undefined ? {} : { path: values.path }),
  }));
  let [checked, failed] = [0, 0];
  const begin = performance.now();
  const work = (worker) => {
    const portion = portions.shift();
    if (portion === undefined) worker.disconnect();
    else worker.send(portion);
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), portions.length) }, () =>
    fork(fileURLToPath(import.meta.url)),
  );
  await Promise.all(
    workers.map((worker) => {
      worker.on('message', ({ portion, failure }) => {
        checked += portion.models;
        if (failure !== null) {
          failed += 1;
          process.stdout.write(`seed ${portion.seed}: ${failure}\n`);
        }
        process.stderr.write(
          `${checked} of ${models} models, ${Math.round((performance.now() - begin) / 1000)} s, ${failed} failures\n`,
        );
        work(worker);
      });
      work(worker);
      return new Promise((resolve) => worker.on('exit', resolve));
    }),
  );
  if (failed > 0 || checked < models) process.exitCode = 1;
}
