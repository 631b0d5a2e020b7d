// Runs the stages of `.ci/run` or `.ci/full`, and prints a summary: the flaky tests, the failed tests, the seconds of
// each stage, and as the last line `N passed, N failed, N skipped`. A failed stage without failed tests counts as one
// failure.
//
// node .ci/stages.mjs run|full [STAGE …]
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { combineResults, formatResults, formatSummary } from '../scripts/mocha/results.mjs';
import { SUITES } from '../scripts/mocha/suites.mjs';

/** Stages that prepare and check a fresh clone. */
const PREPARATION_STAGES = [
  ['install', 'bash .ci/install.sh'],
  // Repeats the command, because npm does not retry a download that is interrupted.
  ['npm-ci', 'npm ci --fetch-retries=5 || npm ci --fetch-retries=5'],
  // The engine for Temporal is outside of the workspaces, because its dependencies are large.
  ['temporal-sdk', 'cd packages/plugins/engine-temporal && (npm ci --fetch-retries=5 || npm ci --fetch-retries=5)'],
  ['electron', 'node scripts/electron-for-tests.mjs --download'],
  ['check', 'npm run check'],
];

/** Stages that decide whether a change lands, the fastest first. */
const GATE_STAGES = [
  ...PREPARATION_STAGES,
  ...createSuiteStages(SUITES.filter(({ runsOnEachChange }) => runsOnEachChange)),
  ['smoke', 'node scripts/smoke-test.mjs'],
  // The first file is skipped unless `.ci/full` or a developer has built the Temporal server on this machine.
  [
    'temporal-smoke',
    'node scripts/test.mjs test/src/temporal/runs.spec.ts test/src/temporal/recorded-histories.spec.ts',
  ],
];

/**
 * Seed of `.ci/full`: a new one each time, unlike that of `.ci/run`. The output starts with it, so that a failure can
 * be reproduced.
 */
const seed = process.env['COUNTERSIGN_TEST_SEED'] ?? String(randomInt(0x7fff_ffff));

/**
 * @type {Record<string, {stages: string[][], continuesAfterFailure: boolean, environment?: Record<string, string>}>}
 */
const PIPELINES = {
  run: { stages: GATE_STAGES, continuesAfterFailure: false },
  // All stages, every night and before a feature counts as done.
  full: {
    stages: [
      ...GATE_STAGES,
      ['temporal-server', 'node scripts/temporal-for-tests.mjs --build'],
      ...createSuiteStages(SUITES.filter(({ runsOnEachChange }) => !runsOnEachChange)),
      // The same specs of the product, with another engine than the embedded one.
      ['engines', 'npm run test:engines'],
      // Rules that need types take minutes, and more memory than the default limit of Node.js.
      ['lint-types', 'NODE_OPTIONS=--max-old-space-size=6144 npm run lint:types'],
      ['random-models', `node scripts/properties.mjs --models 10000 --seed ${seed}`],
      // 10,000 keys and clicks in the browser and 10,000 in Electron.
      ['monkey', `node scripts/monkey.mjs --actions 20000 --seed ${seed}`],
      // 10,000 odd values, through every input of a server.
      ['odd-values', `node scripts/odd-values.mjs --commands 10000 --seed ${seed}`],
      // Clients from the generators that docs/clients.md names. A generator is skipped if its language is not
      // installed.
      ['generated-clients', 'node scripts/generated-clients.mjs'],
      // The same tests, except the sweeps, on the current LTS of Node.js, whose binary comes from npm.
      [
        'lts',
        `bash .ci/on-lts.sh ${SUITES.map((suite) => suite.name)
          .filter((suite) => suite !== 'sweeps')
          .join(' ')}`,
      ],
    ],
    continuesAfterFailure: true,
    environment: { COUNTERSIGN_TEST_SEED: seed },
  },
};

/** @param {readonly import('../scripts/mocha/suites.mjs').Suite[]} suites */
function createSuiteStages(suites) {
  return suites.map((suite) => [suite.name, `npm run test:${suite.name}`]);
}

const [pipelineName = '', ...selectedStages] = process.argv.slice(2);
const pipeline = PIPELINES[pipelineName];
const unknownStages = selectedStages.filter((stage) => !pipeline?.stages.some(([name]) => name === stage));
if (pipeline === undefined || unknownStages.length > 0) {
  process.stderr.write(
    `usage: .ci/run [STAGE …] or .ci/full [STAGE …]\n${unknownStages.length === 0 ? '' : `Unknown stages: ${unknownStages.join(', ')}.\n`}${pipeline === undefined ? '' : `Stages: ${pipeline.stages.map(([stage]) => stage).join(', ')}.\n`}`,
  );
  process.exit(2);
}

if (pipeline.environment !== undefined)
  process.stdout.write(
    `${Object.entries(pipeline.environment)
      .map((variable) => variable.join('='))
      .join('\n')}\n`,
  );
const directory = mkdtempSync(join(tmpdir(), 'countersign-ci-'));
const allResults = [];
const durations = [];
for (const [stage, command] of pipeline.stages.filter(
  ([stage]) => selectedStages.length === 0 || selectedStages.includes(stage),
)) {
  process.stdout.write(`\n== ${stage}: ${command}\n`);
  const startTime = performance.now();
  const resultsFile = join(directory, `${stage}.jsonl`);
  const { status, signal } = spawnSync('bash', ['-c', command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...pipeline.environment, CI: 'true', COUNTERSIGN_TEST_RESULTS: resultsFile },
  });
  const stageResults = combineResults(
    existsSync(resultsFile)
      ? readFileSync(resultsFile, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [],
  );
  const hasFailed = status !== 0;
  if (hasFailed && stageResults.failed.length === 0)
    stageResults.failed.push({
      file: command,
      title: 'the whole stage',
      error: `The command ended with ${signal ?? status}. See its output above.`,
    });
  allResults.push(
    Object.fromEntries(
      Object.entries(stageResults).map(([kind, tests]) => [
        kind,
        tests.map((test) => ({ ...test, title: `${stage}: ${test.title}` })),
      ]),
    ),
  );
  durations.push([stage, Math.round((performance.now() - startTime) / 1000), hasFailed ? 'failed' : '']);
  if (hasFailed && !pipeline.continuesAfterFailure) break;
}
rmSync(directory, { recursive: true, force: true });

const results = combineResults(allResults);
process.stdout.write(
  `\n${formatResults(results)}Seconds of each stage:\n${durations.map(([stage, seconds, outcome]) => `  ${String(seconds).padStart(5)}  ${stage} ${outcome}`.trimEnd()).join('\n')}\n`,
);
process.stdout.write(
  `  ${String(durations.reduce((sum, [, seconds]) => sum + seconds, 0)).padStart(5)}  all\n\n${formatSummary(results)}\n`,
);
process.exitCode = results.failed.length > 0 ? 1 : 0;
